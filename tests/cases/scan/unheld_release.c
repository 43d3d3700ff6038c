// Some ways to the release have not taken the lock.
#include "lock.h"
struct pool { slock_t guard; int first; };
void put(struct pool *pool, int i, int locked)
{
    if (locked)
        SpinLockAcquire(&pool->guard);
    pool->first = i;
    SpinLockRelease(&pool->guard);
}

// expect: section 7 9 lock=pool->guard scope=instance
// expect: finding unheld-release medium 9 object=pool->guard
