// A guard releases on every way out of its scope.
#include "lock.h"
struct pool { slock_t guard; int first; };
static void unlock_guard(struct pool **pool) { SpinLockRelease(&(*pool)->guard); }
int get(struct pool *pool, int i)
{
    SpinLockAcquire(&pool->guard);
    struct pool *held __attribute__((cleanup(unlock_guard))) = pool;
    if (i < 0)
        return -1;
    return held->first;
}

// expect: section 7 10,11 lock=pool->guard scope=instance
// expect: none
