// Functions in the style of the seventies: declared by names, without prototypes.
#include "lock.h"
struct pool { slock_t guard; int first; };
extern int usleep();
static nap(n)
    int n;
{
    return usleep(n);
}
put(pool, value, wait)
    struct pool *pool;
    int value, wait;
{
    SpinLockAcquire(&pool->guard);
    pool->first = value;
    if (wait)
        nap(wait);
    SpinLockRelease(&pool->guard);
    return value;
}

// expect: section 14 18 lock=pool->guard scope=instance
// expect: finding blocking high 17 object=nap
