// Behind a call that does not return there is no code; under the lock it is an error's way out.
#include "lock.h"
#include <stdlib.h>
struct pool { slock_t guard; int first; };
void check(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    if (pool->first < 0) {
        SpinLockRelease(&pool->guard);
        abort();
    }
    SpinLockRelease(&pool->guard);
}
void check_held(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    if (pool->first < 0)
        abort();
    SpinLockRelease(&pool->guard);
}

// expect: section 7 9,12 lock=pool->guard scope=instance
// expect: section 16 19 lock=pool->guard scope=instance
// expect: finding error-exit low 18 object=abort
