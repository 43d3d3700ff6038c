// Taken on one condition, released on another.
#include "lock.h"
struct pool { slock_t guard; int first; };
void put(struct pool *pool, int i, bool locked, bool done)
{
    if (locked)
        SpinLockAcquire(&pool->guard);
    pool->first = i;
    if (done)
        SpinLockRelease(&pool->guard);
}

// expect: section 7 10 lock=pool->guard scope=instance left-held
// expect: finding unheld-release medium 10 object=pool->guard
// expect: finding lock-leak high 11 object=pool->guard
