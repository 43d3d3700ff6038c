// A break that was forgotten: the lock is released in one case and again in the next.
#include "lock.h"
struct pool { slock_t guard; int first; };
int by_kind(struct pool *pool, int kind)
{
    SpinLockAcquire(&pool->guard);
    switch (kind) {
    case 0:
        pool->first = 0;
        SpinLockRelease(&pool->guard);
    default:
        SpinLockRelease(&pool->guard);
    }
    return kind;
}

// expect: section 6 10,12 lock=pool->guard scope=instance
// expect: finding double-release high 12 object=pool->guard
