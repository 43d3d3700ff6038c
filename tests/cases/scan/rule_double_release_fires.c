// Released again: behind a label, in a cleanup of errors, by a callee.
#include "lock.h"
struct pool { slock_t guard; int first; };
int by_label(struct pool *pool, int n)
{
    SpinLockAcquire(&pool->guard);
    pool->first = n;
    SpinLockRelease(&pool->guard);
    if (n < 0)
        goto fail;
    return 0;
fail:
    SpinLockRelease(&pool->guard);
    return -1;
}
static void done(struct pool *pool)
{
    pool->first = 0;
    SpinLockRelease(&pool->guard);
}
void by_callee(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    done(pool);
    SpinLockRelease(&pool->guard);
}

// expect: section 6 8 lock=pool->guard scope=instance
// expect: section 16 19 lock=pool->guard scope=instance entered-held
// expect: section 23 24 lock=pool->guard scope=instance
// expect: finding double-release high 13 object=pool->guard
// expect: finding double-release high 25 object=pool->guard
