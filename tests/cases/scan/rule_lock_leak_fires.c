// The way that was forgotten: a break out of two loops, an early continue, the second of two locks.
#include "lock.h"
struct pool { slock_t guard, other; int first; };
int two_loops(struct pool *pool, int n)
{
    SpinLockAcquire(&pool->guard);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 8; k++)
            if (pool->first == i * k)
                goto found;
    SpinLockRelease(&pool->guard);
    return -1;
found:
    return 1;
}
int second(struct pool *pool, int n)
{
    SpinLockAcquire(&pool->guard);
    SpinLockAcquire(&pool->other);
    if (n < 0) {
        SpinLockRelease(&pool->guard);
        return -1;
    }
    SpinLockRelease(&pool->other);
    SpinLockRelease(&pool->guard);
    return 0;
}

// expect: section 6 11 lock=pool->guard scope=instance left-held
// expect: section 18 21,25 lock=pool->guard scope=instance
// expect: section 19 24 lock=pool->other scope=instance left-held
// expect: finding lock-leak high 14 object=pool->guard
// expect: finding nested-lock low 19 object=pool->other
// expect: finding lock-leak high 22 object=pool->other
