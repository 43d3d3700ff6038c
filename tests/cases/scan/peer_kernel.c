// A driver's four: user memory, a sleeping allocation, a mutex and a return, all under spin_lock.
typedef struct { int v; } spinlock_t;
struct mutex { int v; };
void spin_lock(spinlock_t *l);
void spin_unlock(spinlock_t *l);
void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);
void *kmalloc(unsigned long n, unsigned flags);
unsigned long copy_from_user(void *to, const void *from, unsigned long n);
#define __GFP_DIRECT_RECLAIM 0x400u
#define GFP_KERNEL 0xcc0u
#define GFP_ATOMIC 0x820u
struct device { spinlock_t lock; struct mutex big; int state; char data[64]; };
long four(struct device *d, const void *from, unsigned long n)
{
    spin_lock(&d->lock);
    if (copy_from_user(d->data, from, n))
        return -14;
    void *p = kmalloc(n, GFP_KERNEL);
    mutex_lock(&d->big);
    d->state = p != 0;
    mutex_unlock(&d->big);
    spin_unlock(&d->lock);
    return 0;
}

// expect: section 16 23 lock=d->lock scope=instance left-held
// expect: finding blocking high 17 object=copy_from_user
// expect: finding lock-leak high 18 object=d->lock
// expect: finding blocking high 19 object=kmalloc
// expect: finding blocking high 20 object=mutex_lock
