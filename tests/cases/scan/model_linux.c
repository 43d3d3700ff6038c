// Linux: interrupt forms, allocation by flags, user memory, the lock that a counter takes.
typedef struct {
    unsigned v;
} spinlock_t;
typedef struct {
    int v;
} atomic_t;
void _raw_lock(spinlock_t *lock);
unsigned long _raw_lock_irqsave(spinlock_t *lock);
void _raw_unlock_irqrestore(spinlock_t *lock, unsigned long flags);
static inline void spin_lock(spinlock_t *lock)
{
    _raw_lock(lock);
}
#define spin_lock_irqsave(lock, flags)                                                             \
    do {                                                                                           \
        flags = _raw_lock_irqsave(lock);                                                           \
    } while (0)
void spin_unlock(spinlock_t *lock);
void spin_unlock_irqrestore(spinlock_t *lock, unsigned long flags);
int atomic_dec_and_lock(atomic_t *atomic, spinlock_t *lock);
#define GFP_KERNEL 0xcc0u
#define GFP_ATOMIC 0x820u
void *kmalloc(unsigned long size, unsigned flags);
void kfree(const void *p);
unsigned long copy_from_user(void *to, const void *from, unsigned long n);
int _printk(const char *format, ...);
void msleep(unsigned ms);

struct device {
    spinlock_t lock;
    atomic_t users;
    int state;
};

void *may_sleep(struct device *d)
{
    unsigned long flags;
    void *p;
    spin_lock_irqsave(&d->lock, flags);
    p = kmalloc(64, GFP_KERNEL);
    d->state = 1;
    spin_unlock_irqrestore(&d->lock, flags);
    return p;
}

void *as_it_should_be(struct device *d)
{
    void *p;
    spin_lock(&d->lock);
    p = kmalloc(64, GFP_ATOMIC);
    d->state = 2;
    spin_unlock(&d->lock);
    return p;
}

int from_user(struct device *d, const void *user)
{
    int left;
    spin_lock(&d->lock);
    left = (int)copy_from_user(&d->state, user, sizeof d->state);
    spin_unlock(&d->lock);
    return left;
}

void put(struct device *d)
{
    if (!atomic_dec_and_lock(&d->users, &d->lock))
        return;
    d->state = 0;
    spin_unlock(&d->lock);
    kfree(d);
}

void leak(struct device *d)
{
    if (atomic_dec_and_lock(&d->users, &d->lock))
        msleep(1);
}

// expect: section 40 43 lock=d->lock scope=instance
// expect: section 50 53 lock=d->lock scope=instance
// expect: section 60 62 lock=d->lock scope=instance
// expect: section 68 71 lock=d->lock scope=instance
// expect: section 77 - lock=d->lock scope=instance left-held
// expect: finding blocking high 41 object=kmalloc
// expect: finding blocking high 61 object=copy_from_user
// expect: finding blocking high 78 object=msleep
