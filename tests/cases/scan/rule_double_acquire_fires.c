// Taken again: on one way round a loop, under another name for the same object, by a callee's callee.
#include "lock.h"
struct pool { slock_t guard; int first, used; };
void in_loop(struct pool *pool, int n)
{
    for (int i = 0; i < n; i++) {
        SpinLockAcquire(&pool->guard);
        if (pool->first == i)
            continue;
        SpinLockRelease(&pool->guard);
    }
}
void by_alias(struct pool *pool)
{
    slock_t *lock = &pool->guard;
    SpinLockAcquire(lock);
    SpinLockAcquire(&pool->guard);
    pool->first = 0;
    SpinLockRelease(lock);
}
static int used(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    int n = pool->used;
    SpinLockRelease(&pool->guard);
    return n;
}
static int half(struct pool *pool) { return used(pool) / 2; }
void through_two(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pool->first = half(pool);
    SpinLockRelease(&pool->guard);
}

// expect: section 7 10 lock=pool->guard scope=instance left-held
// expect: section 16 19 lock=pool->guard scope=instance
// expect: section 17 - lock=pool->guard scope=instance
// expect: section 23 25 lock=pool->guard scope=instance
// expect: section 31 33 lock=pool->guard scope=instance
// expect: finding double-acquire high 7 object=pool->guard
// expect: finding lock-leak high 12 object=pool->guard
// expect: finding double-acquire high 17 object=pool->guard
// expect: finding double-acquire high 32 object=pool->guard
