// Two sections of one lock in a function are two.
#include "lock.h"
struct pool { slock_t guard; int a, b; };
int both(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    int a = pool->a;
    SpinLockRelease(&pool->guard);
    if (a == 0)
        return 0;
    SpinLockAcquire(&pool->guard);
    int b = pool->b;
    SpinLockRelease(&pool->guard);
    return a + b;
}

// expect: section 6 8 lock=pool->guard scope=instance
// expect: section 11 13 lock=pool->guard scope=instance
// expect: none
