// Kept for the caller on every way, told by the result, or given away by name: no leak.
#include "lock.h"
struct item { int n; };
struct pool { slock_t guard; struct item *first; };
void begin(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pool->first = (void *)0;
}
struct item *find(struct pool *pool, int n)
{
    SpinLockAcquire(&pool->guard);
    if (pool->first && pool->first->n == n)
        return pool->first;
    SpinLockRelease(&pool->guard);
    return (void *)0;
}
bool start(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    if (pool->first)
        return true;
    SpinLockRelease(&pool->guard);
    return false;
}

// expect: section 7 - lock=pool->guard scope=instance left-held
// expect: section 12 15 lock=pool->guard scope=instance left-held
// expect: section 20 23 lock=pool->guard scope=instance left-held
// expect: finding fault-under-lock medium 13 object=pool->first->n
// expect: quiet lock-leak
