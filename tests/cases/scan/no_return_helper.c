// A helper that always ends the process is followed no further; the lock is not leaked there.
#include <stdlib.h>
#include "lock.h"
struct pool { slock_t guard; int first; };
static void fatal(struct pool *pool)
{
    pool->first = -1;
    exit(2);
}
int take(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    if (pool->first < 0)
        fatal(pool);
    int i = pool->first;
    SpinLockRelease(&pool->guard);
    return i;
}

// expect: section 12 16 lock=pool->guard scope=instance
// expect: finding error-exit high 14 object=fatal
