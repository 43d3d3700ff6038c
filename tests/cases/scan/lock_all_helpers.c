// Helpers that lock and unlock every element: what lies between them is one section, and what
// comes after it is in none.
#include "lock.h"
unsigned sleep(unsigned);
struct queue { int n; slock_t lock; };
struct device { unsigned n; struct queue *queues[16]; };

static void lock_all(struct device *device)
{
    for (unsigned i = 0; i < device->n; i++)
        SpinLockAcquire(&device->queues[i]->lock);
}

static void unlock_all(struct device *device)
{
    for (unsigned i = 0; i < device->n; i++)
        SpinLockRelease(&device->queues[i]->lock);
}

static void flush(struct device *device)
{
    lock_all(device);
    device->n = 0;
    unlock_all(device);
    __spinfault_debug_held();
}

void restart(struct device *device)
{
    flush(device);
    sleep(1);
    lock_all(device);
    __spinfault_debug_held();
    sleep(2);
    unlock_all(device);
    __spinfault_debug_held();
}

// One that is taken in some round, and then the loop is left, may as well be in none.
static int lock_some(struct device *device)
{
    for (unsigned i = 0; i < device->n; i++) {
        if (!device->queues[i]->n)
            continue;
        SpinLockAcquire(&device->queues[i]->lock);
        return 1;
    }
    return 0;
}

int one(struct device *device)
{
    int some = lock_some(device);
    __spinfault_debug_held();
    return some;
}

// expect: section 11 - lock=device->queues[]->lock scope=instance left-held
// expect: section 14 17 lock=device->queues[]->lock scope=instance entered-held left-held
// expect: section 22 24 lock=device->queues[]->lock scope=instance
// expect: section 32 35 lock=device->queues[]->lock scope=instance
// expect: section 45 - lock=device->queues[]->lock scope=instance left-held
// expect: section 53 - lock=device->queues[]->lock scope=instance left-held
// expect: debug 25 held=
// expect: debug 33 held=device->queues[]->lock
// expect: finding blocking high 34 object=sleep
// expect: debug 36 held=
// expect: debug 54 held=|device->queues[]->lock
