// The caller holds the lock; these functions let go of it, one of them for a while.
#include "lock.h"
struct pool { slock_t guard; int first; };
void finish(struct pool *pool)
{
    pool->first = 0;
    SpinLockRelease(&pool->guard);
}
int pause(struct pool *pool)
{
    SpinLockRelease(&pool->guard);
    int seen = pool->first;
    SpinLockAcquire(&pool->guard);
    __spinfault_debug_held();
    return seen;
}

// expect: section 4 7 lock=pool->guard scope=instance entered-held
// expect: section 13 - lock=pool->guard scope=instance entered-held left-held
// expect: debug 14 held=pool->guard
// expect: none
