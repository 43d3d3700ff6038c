// A loop with a small bound is no matter; one without is.
#include "lock.h"
struct pool { slock_t guard; int n; int flags[8]; };
extern struct pool *pool;
int bounded(void)
{
    int sum = 0;
    SpinLockAcquire(&pool->guard);
    for (int i = 0; i < 8; i++)
        sum += pool->flags[i];
    SpinLockRelease(&pool->guard);
    return sum;
}
int unbounded(void)
{
    int sum = 0;
    SpinLockAcquire(&pool->guard);
    for (int i = 0; i < pool->n; i++)
        sum += i;
    SpinLockRelease(&pool->guard);
    return sum;
}

// expect: section 8 11 lock=pool->guard scope=singleton
// expect: section 17 20 lock=pool->guard scope=singleton
// expect: finding loop medium 18 object=pool->guard
