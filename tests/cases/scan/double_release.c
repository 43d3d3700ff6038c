// Released twice on one way.
#include "lock.h"
struct pool { slock_t guard; int first; };
void put(struct pool *pool, int i)
{
    SpinLockAcquire(&pool->guard);
    if (i < 0)
        SpinLockRelease(&pool->guard);
    else
        pool->first = i;
    if (i < -1)
        i = 0;
    SpinLockRelease(&pool->guard);
}

// expect: section 6 8,13 lock=pool->guard scope=instance
// expect: finding double-release high 13 object=pool->guard
