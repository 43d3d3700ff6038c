// A case that falls into the one that releases.
#include "lock.h"
struct pool { slock_t guard; int first, used; };
int by_kind(struct pool *pool, int kind)
{
    SpinLockAcquire(&pool->guard);
    switch (kind) {
    case 0:
        pool->first = 0;
        // fallthrough
    case 1:
        pool->used = 0;
        SpinLockRelease(&pool->guard);
        break;
    case 2 ... 9:
        SpinLockRelease(&pool->guard);
        return -1;
    default:
        SpinLockRelease(&pool->guard);
    }
    __spinfault_debug_held();
    return kind;
}

// expect: section 6 13,16,19 lock=pool->guard scope=instance
// expect: debug 21 held=
// expect: none
