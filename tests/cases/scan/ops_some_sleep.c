// What a table of operations points to: one of two sleeps, both do, or only one of them is there.
typedef struct { int v; } spinlock_t;
void spin_lock(spinlock_t *l);
void spin_unlock(spinlock_t *l);
void msleep(unsigned ms);

struct bus_ops {
    void (*write)(int value);
    void (*reset)(int value);
    void (*stop)(int value);
};
struct chip { spinlock_t lock; const struct bus_ops *ops; };
static volatile int port;

static void memory_write(int value) { port = value; }
static void wire_write(int value) { msleep((unsigned)value); }
static void memory_reset(int value) { msleep((unsigned)value); port = 0; }
static void wire_reset(int value) { msleep((unsigned)value); }
static void wire_stop(int value) { port = -value; }
static void memory_stop(int value) { port = value; }

const struct bus_ops memory_ops = {memory_write, memory_reset, memory_stop};
const struct bus_ops wire_ops = {.write = wire_write, .reset = wire_reset, .stop = wire_stop};

static void chip_write(struct chip *chip, int value)
{
    chip->ops->write(value);
}

void some(struct chip *chip)
{
    spin_lock(&chip->lock);
    chip->ops->write(1);
    chip_write(chip, 1);
    spin_unlock(&chip->lock);
}

void all(struct chip *chip)
{
    spin_lock(&chip->lock);
    chip->ops->reset(1);
    spin_unlock(&chip->lock);
}

void none(struct chip *chip)
{
    spin_lock(&chip->lock);
    chip->ops->stop(1);
    spin_unlock(&chip->lock);
}

// expect: section 32 35 lock=chip->lock scope=instance
// expect: section 40 42 lock=chip->lock scope=instance
// expect: section 47 49 lock=chip->lock scope=instance
// expect: finding indirect-call low 33,34 object=chip->ops->write
// expect: finding blocking high 41 object=chip->ops->reset
// expect: finding indirect-call low 41 object=chip->ops->reset
