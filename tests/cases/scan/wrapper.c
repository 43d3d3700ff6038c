// A function that takes the lock for its caller makes sections at its calls; its own body is none.
#include "lock.h"
struct pool { slock_t guard; int first; };
static void pool_lock(struct pool *pool) { SpinLockAcquire(&pool->guard); }
static void pool_unlock(struct pool *pool) { SpinLockRelease(&pool->guard); }
int get(struct pool *pool)
{
    pool_lock(pool);
    __spinfault_debug_held();
    int i = pool->first;
    pool_unlock(pool);
    return i;
}

// expect: section 8 11 lock=pool->guard scope=instance
// expect: debug 9 held=pool->guard
// expect: none
