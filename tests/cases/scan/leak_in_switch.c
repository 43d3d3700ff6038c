// A switch with a way out that was forgotten, and fall-through that is none.
#include "lock.h"
struct pool { slock_t guard; int first; };
int act(struct pool *pool, int what)
{
    SpinLockAcquire(&pool->guard);
    switch (what) {
    case 0:
        pool->first = 0;
        // fallthrough
    case 1:
        pool->first++;
        break;
    case 2:
        return -1;
    default:
        SpinLockRelease(&pool->guard);
        return 0;
    }
    SpinLockRelease(&pool->guard);
    return 1;
}

// expect: section 6 17,20 lock=pool->guard scope=instance left-held
// expect: finding lock-leak high 15 object=pool->guard
