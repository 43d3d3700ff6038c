// A callee that takes the lock when it is told to is no double acquire where it is told not to.
#include "lock.h"

struct cache {
    slock_t lock;
    int entries;
};

static void drop(struct cache *c, int needs_locking)
{
    if (needs_locking)
        SpinLockAcquire(&c->lock);
    c->entries--;
    if (needs_locking)
        SpinLockRelease(&c->lock);
}

static void lock(struct cache *c) { SpinLockAcquire(&c->lock); }
static void unlock(struct cache *c) { SpinLockRelease(&c->lock); }
static void drop_by_wrapper(struct cache *c, int needs_locking)
{
    if (needs_locking)
        lock(c);
    c->entries--;
    if (needs_locking)
        unlock(c);
}

static void always(struct cache *c)
{
    SpinLockAcquire(&c->lock);
    c->entries = 0;
    SpinLockRelease(&c->lock);
}

void under_lock(struct cache *c)
{
    SpinLockAcquire(&c->lock);
    drop(c, 0);
    drop_by_wrapper(c, 0);
    SpinLockRelease(&c->lock);
    drop(c, 1);
}

void wrong(struct cache *c)
{
    SpinLockAcquire(&c->lock);
    always(c);
    SpinLockRelease(&c->lock);
}

// expect: section 12 15 lock=c->lock scope=instance
// expect: section 23 26 lock=c->lock scope=instance
// expect: section 31 33 lock=c->lock scope=instance
// expect: section 38 41 lock=c->lock scope=instance
// expect: section 47 49 lock=c->lock scope=instance
// expect: finding double-acquire high 48 object=c->lock
