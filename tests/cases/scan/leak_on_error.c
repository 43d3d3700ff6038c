// The way out for errors keeps the lock.
#include "lock.h"
struct pool { slock_t guard; int first; };
int pop(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    if (pool->first < 0)
        return -1;
    int i = pool->first;
    SpinLockRelease(&pool->guard);
    return i;
}

// expect: section 6 10 lock=pool->guard scope=instance left-held
// expect: finding lock-leak high 8 object=pool->guard
