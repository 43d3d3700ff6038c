// One label releases for all ways.
#include "lock.h"
struct pool { slock_t guard; int first, used; };
int pop(struct pool *pool)
{
    int result = -1;
    SpinLockAcquire(&pool->guard);
    if (pool->first < 0)
        goto out;
    if (pool->used > 10)
        goto out;
    result = pool->first;
out:
    SpinLockRelease(&pool->guard);
    return result;
}

// expect: section 7 14 lock=pool->guard scope=instance
// expect: none
