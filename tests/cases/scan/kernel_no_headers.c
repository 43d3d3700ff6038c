// A driver without the kernel's headers: annotations, loops over lists, bits of allocations and an
// enum that nothing defines hide no call and no release.
#include <linux/module.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include "missing_link.h"

struct port {
    struct list_head list;
    spinlock_t lock;
    u8 __iomem *registers;
    struct options __rcu *options;
    unsigned long modes[BITS_TO_LONGS(PORT_MODES)];
};

struct bus {
    struct list_head ports;
    rwlock_t lock;
    int changes;
    wait_queue_head_t idle, empty;
};

enum link_state bus_begin(struct bus *bus, unsigned long *flags)
{
    write_lock_irqsave(&bus->lock, *flags);
    return LINK_GOING;
}

enum link_state bus_end(struct bus *bus, unsigned long *flags)
{
    bus->changes++;
    write_unlock_irqrestore(&bus->lock, *flags);
    return LINK_UP;
}

void bus_change(struct bus *bus)
{
    unsigned long flags;
    bus_begin(bus, &flags);
    bus_end(bus, &flags);
    kmalloc(64, GFP_KERNEL);
}

void bus_change_late(struct bus *bus)
{
    unsigned long flags;
    bus_begin(bus, &flags);
    kmalloc(64, GFP_ATOMIC);
    kmalloc(64, GFP_KERNEL);
    bus_end(bus, &flags);
}

int bus_count(struct bus *bus)
{
    struct port *port;
    int n = 0;
    list_for_each_entry(port, &bus->ports, list)
        if (port->registers)
            n--;
        else
            continue;
    list_for_each_entry(port, &bus->ports, list) {
        spin_lock(&port->lock);
        if (!rcu_dereference(port->options)->enabled) {
            spin_unlock(&port->lock);
            continue;
        }
        n++;
        spin_unlock(&port->lock);
    }
    return n;
}

// The condition of a wait takes the lock and keeps it when it is met.
static bool bus_is_idle(struct bus *bus)
{
    write_lock_irq(&bus->lock);
    if (!bus->changes)
        return true;
    write_unlock_irq(&bus->lock);
    return false;
}

int bus_reset(struct bus *bus)
{
    if (!wait_event_timeout(bus->idle, bus_is_idle(bus), HZ))
        return -1;
    bus->changes = 0;
    write_unlock_irq(&bus->lock);
    return 0;
}

int bus_reset_late(struct bus *bus)
{
    if (!wait_event_timeout(bus->idle, bus_is_idle(bus), HZ))
        return -1;
    wait_event(bus->empty, list_empty(&bus->ports));
    write_unlock_irq(&bus->lock);
    return 0;
}

// expect: file degraded
// expect: section 30 33 lock=bus->lock scope=instance entered-held
// expect: section 40 41 lock=bus->lock scope=instance
// expect: section 48 51 lock=bus->lock scope=instance
// expect: section 64 66,70 lock=port->lock scope=instance
// expect: section 78 81 lock=bus->lock scope=instance left-held
// expect: section 87 90 lock=bus->lock scope=instance
// expect: section 96 99 lock=bus->lock scope=instance
// expect: finding blocking high 50 object=kmalloc
// expect: finding blocking high 98 object=schedule
// expect: finding loop low 98 object=bus->lock
