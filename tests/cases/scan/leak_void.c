// The same in a function that returns nothing.
#include "lock.h"
struct pool { slock_t guard; int first; };
void drop(struct pool *pool, int i)
{
    SpinLockAcquire(&pool->guard);
    if (i < 0)
        return;
    pool->first = i;
    SpinLockRelease(&pool->guard);
}

// expect: section 6 10 lock=pool->guard scope=instance left-held
// expect: finding lock-leak high 8 object=pool->guard
