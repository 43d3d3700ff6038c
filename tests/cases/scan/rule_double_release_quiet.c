// One release a way, however many there are in the text; and one more take in between.
#include "lock.h"
struct pool { slock_t guard; int first; };
int ways(struct pool *pool, int n)
{
    SpinLockAcquire(&pool->guard);
    if (n < 0) {
        SpinLockRelease(&pool->guard);
        return -1;
    }
    if (n == 0)
        goto out;
    pool->first = n;
out:
    SpinLockRelease(&pool->guard);
    return n;
}
void let_go_for_a_while(struct pool *pool, int n)
{
    SpinLockAcquire(&pool->guard);
    while (pool->first < n) {
        SpinLockRelease(&pool->guard);
        n--;
        SpinLockAcquire(&pool->guard);
    }
    SpinLockRelease(&pool->guard);
}

// expect: section 6 8,15 lock=pool->guard scope=instance
// expect: section 20 22,26 lock=pool->guard scope=instance
// expect: section 24 22,26 lock=pool->guard scope=instance
// expect: none
// expect: quiet double-release
