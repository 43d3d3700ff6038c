// One condition decides over the acquire and the release.
#include "lock.h"
struct pool { slock_t guard; int first; bool shared; };
void put(struct pool *pool, int i, bool locked)
{
    if (locked)
        SpinLockAcquire(&pool->guard);
    pool->first = i;
    if (locked)
        SpinLockRelease(&pool->guard);
}
void put_field(struct pool *pool, int i)
{
    if (pool->shared)
        SpinLockAcquire(&pool->guard);
    pool->first = i;
    if (pool->shared)
        SpinLockRelease(&pool->guard);
}
void put_both(struct pool *pool, int i, bool locked)
{
    if (pool && locked)
        SpinLockAcquire(&pool->guard);
    if (i)
        i++;
    if (pool && locked) {
        pool->first = i;
        SpinLockRelease(&pool->guard);
    }
}

// expect: section 7 10 lock=pool->guard scope=instance
// expect: section 15 18 lock=pool->guard scope=instance
// expect: section 23 28 lock=pool->guard scope=instance
// expect: none
