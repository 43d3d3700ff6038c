// Backward gotos and labels that are shared by ways with the lock and without it.
#include "lock.h"
struct pool { slock_t guard; int first; };
int retry(struct pool *pool, int n)
{
    int tries = 0;
again:
    SpinLockAcquire(&pool->guard);
    if (pool->first == n) {
        SpinLockRelease(&pool->guard);
        if (tries++ < 3)
            goto again;
        return -1;
    }
    pool->first = n;
    SpinLockRelease(&pool->guard);
    return tries;
}
int shared_label(struct pool *pool, int n)
{
    if (n == 0)
        goto done;
    SpinLockAcquire(&pool->guard);
    pool->first = n;
    SpinLockRelease(&pool->guard);
done:
    __spinfault_debug_held();
    return n;
}
int wrong_label(struct pool *pool, int n)
{
    if (n == 0)
        goto out;
    SpinLockAcquire(&pool->guard);
    pool->first = n;
out:
    SpinLockRelease(&pool->guard);
    return n;
}

// expect: section 8 10,16 lock=pool->guard scope=instance
// expect: section 23 25 lock=pool->guard scope=instance
// expect: section 34 37 lock=pool->guard scope=instance
// expect: debug 27 held=
// expect: finding unheld-release medium 37 object=pool->guard
