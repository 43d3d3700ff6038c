// One for all: a global, what one global points to. One of many: an element, a parameter.
#include "lock.h"
struct pool { slock_t guard; int n; };
static slock_t global_lock;
static struct pool static_pool;
extern struct pool *the_pool, pools[8];
extern slock_t *far_lock;
int all(struct pool *pool, int i)
{
    SpinLockAcquire(&global_lock);
    SpinLockRelease(&global_lock);
    SpinLockAcquire(&static_pool.guard);
    SpinLockRelease(&static_pool.guard);
    SpinLockAcquire(&the_pool->guard);
    SpinLockRelease(&the_pool->guard);
    SpinLockAcquire(far_lock);
    SpinLockRelease(far_lock);
    SpinLockAcquire(&pools[i].guard);
    SpinLockRelease(&pools[i].guard);
    SpinLockAcquire(&pool->guard);
    SpinLockRelease(&pool->guard);
    return 0;
}

// expect: section 10 11 lock=global_lock scope=singleton
// expect: section 12 13 lock=static_pool.guard scope=singleton
// expect: section 14 15 lock=the_pool->guard scope=singleton
// expect: section 16 17 lock=far_lock scope=singleton
// expect: section 18 19 lock=pools[].guard scope=instance
// expect: section 20 21 lock=pool->guard scope=instance
// expect: none
