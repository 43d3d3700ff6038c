// The lock is released before the error; an assertion that is off does nothing.
#define NDEBUG
#include <assert.h>
#include <stdlib.h>
#include "lock.h"
struct pool { slock_t guard; int first; };
void checks(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    assert(pool->first >= 0);
    int first = pool->first;
    SpinLockRelease(&pool->guard);
    if (first < 0)
        exit(1);
}

// expect: section 9 12 lock=pool->guard scope=instance
// expect: none
// expect: quiet error-exit
