// A loop is left by break with the lock held, and it is released after the loop.
#include "lock.h"
struct pool { slock_t guard; int first; };
int wait_for(struct pool *pool)
{
    int i;
    for (;;) {
        SpinLockAcquire(&pool->guard);
        i = pool->first;
        if (i >= 0)
            break;
        SpinLockRelease(&pool->guard);
    }
    pool->first = -1;
    SpinLockRelease(&pool->guard);
    return i;
}

// expect: section 8 12,15 lock=pool->guard scope=instance
// expect: none
