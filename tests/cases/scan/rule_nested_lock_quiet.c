// One after the other, and one that is only tried would be low: here it is tried after the release.
#include "lock.h"
struct pool { slock_t guard, other; int first; };
void in_turn(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pool->first++;
    SpinLockRelease(&pool->guard);
    SpinLockAcquire(&pool->other);
    pool->first++;
    SpinLockRelease(&pool->other);
}
void either(struct pool *pool, int which)
{
    SpinLockAcquire(which ? &pool->guard : &pool->other);
    pool->first++;
    SpinLockRelease(which ? &pool->guard : &pool->other);
}

// expect: section 6 8 lock=pool->guard scope=instance
// expect: section 9 11 lock=pool->other scope=instance
// expect: section 15 17 lock=pool->other scope=instance
// expect: none
// expect: quiet nested-lock
