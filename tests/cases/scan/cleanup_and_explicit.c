// A guard whose lock is released by hand as well: twice.
#include "lock.h"
struct pool { slock_t guard; int first; };
static void drop(slock_t **lock) { SpinLockRelease(*lock); }
int twice(struct pool *pool)
{
    slock_t *held __attribute__((cleanup(drop))) = &pool->guard;
    SpinLockAcquire(held);
    pool->first++;
    SpinLockRelease(held);
    return 0;
}

// expect: section 8 10 lock=pool->guard scope=instance
// expect: finding double-release high 11 object=pool->guard
