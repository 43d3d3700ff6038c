// No case fits: the lock stays held behind a switch that has no default.
#include "lock.h"
enum kind { GET, PUT };
struct pool { slock_t guard; int first; };
int by_kind(struct pool *pool, int kind)
{
    SpinLockAcquire(&pool->guard);
    switch (kind) {
    case GET:
        SpinLockRelease(&pool->guard);
        return 0;
    case PUT:
        pool->first = 1;
        SpinLockRelease(&pool->guard);
        return 1;
    }
    return -1;
}

// expect: section 7 10,14 lock=pool->guard scope=instance left-held
// expect: finding lock-leak high 17 object=pool->guard
