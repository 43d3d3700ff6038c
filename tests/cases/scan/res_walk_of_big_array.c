// A loop over a big array under the lock: as many faults as it has pages.
#include "lock.h"
struct slot { int used; char data[4092]; };
struct pool { slock_t guard; int n; struct slot slots[256]; };
extern struct pool *pool;
int count(void)
{
    int n = 0;
    SpinLockAcquire(&pool->guard);
    for (int i = 0; i < 256; i++)
        n += pool->slots[i].used;
    SpinLockRelease(&pool->guard);
    return n;
}

// expect: section 9 12 lock=pool->guard scope=singleton
// expect: finding loop medium 10 object=pool->guard
// expect: finding fault-under-lock high 11 object=pool->slots[].used
