// Xen: a lock that is taken on a condition and released on the same one; recursive locks.
#include <stdbool.h>
typedef struct spinlock {
    unsigned tickets;
} spinlock_t;
typedef struct rspinlock {
    unsigned tickets;
} rspinlock_t;
void _spin_lock(spinlock_t *lock);
static inline void spin_lock_if(bool condition, spinlock_t *l)
{
    if (condition)
        _spin_lock(l);
}
#define spin_unlock(l) _spin_unlock(l)
void _spin_unlock(spinlock_t *lock);
void rspin_lock(rspinlock_t *lock);
void rspin_unlock(rspinlock_t *lock);

struct domain {
    spinlock_t lock;
    rspinlock_t page_lock;
    int pages;
};

void maybe(struct domain *d, bool locked)
{
    spin_lock_if(!locked, &d->lock);
    d->pages++;
    if (!locked)
        spin_unlock(&d->lock);
}

void forgotten(struct domain *d, bool locked)
{
    spin_lock_if(!locked, &d->lock);
    d->pages++;
}

void twice(struct domain *d)
{
    rspin_lock(&d->page_lock);
    rspin_lock(&d->page_lock);
    d->pages++;
    rspin_unlock(&d->page_lock);
    rspin_unlock(&d->page_lock);
}

// expect: section 28 31 lock=d->lock scope=instance
// expect: section 36 - lock=d->lock scope=instance left-held
// expect: section 42 46 lock=d->page_lock scope=instance
// expect: section 43 45 lock=d->page_lock scope=instance
// expect: none
