// `a ?: b` names a lock: what was taken by it is released by it.
#include "lock.h"
struct pool { slock_t guard; int first; };
extern struct pool fallback;
void set(struct pool *wanted, int n)
{
    struct pool *pool = wanted ?: &fallback;
    SpinLockAcquire(&pool->guard);
    pool->first = n;
    SpinLockRelease(&pool->guard);
    __spinfault_debug_held();
}

// expect: section 8 10 lock=pool->guard scope=instance
// expect: debug 11 held=
// expect: none
