// asm goto may leave for its label: there the lock has to be released, too.
#include "lock.h"
struct pool { slock_t guard; int first; };
int good(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    __asm__ goto("" : : : : out);
    pool->first++;
    SpinLockRelease(&pool->guard);
    return 0;
out:
    SpinLockRelease(&pool->guard);
    return -1;
}
int leaks(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    __asm__ goto("" : : : : out);
    pool->first++;
    SpinLockRelease(&pool->guard);
    return 0;
out:
    return -1;
}

// expect: section 6 9,12 lock=pool->guard scope=instance
// expect: section 17 20 lock=pool->guard scope=instance left-held
// expect: finding lock-leak high 23 object=pool->guard
