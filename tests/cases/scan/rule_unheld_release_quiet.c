// Taken and released under one condition, in a flag, in a level, in the pointer itself.
#include "lock.h"
struct pool { slock_t guard; int first; };
void by_level(struct pool *pool, int level)
{
    if (level > 2)
        SpinLockAcquire(&pool->guard);
    pool->first = level;
    if (level > 2)
        SpinLockRelease(&pool->guard);
}
void by_pointer(struct pool *pool, int n)
{
    if (pool)
        SpinLockAcquire(&pool->guard);
    n = n * 2;
    if (pool) {
        pool->first = n;
        SpinLockRelease(&pool->guard);
    }
}
void by_flag(struct pool *pool, int n)
{
    bool locked = false;
    if (n > 3) {
        SpinLockAcquire(&pool->guard);
        locked = true;
    }
    pool->first = n;
    if (locked)
        SpinLockRelease(&pool->guard);
}
void callee_of_holder(struct pool *pool)
{
    pool->first = 0;
    SpinLockRelease(&pool->guard);
}

// expect: section 7 10 lock=pool->guard scope=instance
// expect: section 15 19 lock=pool->guard scope=instance
// expect: section 26 31 lock=pool->guard scope=instance
// expect: section 33 36 lock=pool->guard scope=instance entered-held
// expect: none
// expect: quiet unheld-release
