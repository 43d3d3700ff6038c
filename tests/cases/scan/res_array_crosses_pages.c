// An array of known size inside the lock's object: a few bytes of it are near, most of it is not.
#include "lock.h"
struct pool { slock_t guard; int used; long cells[2048]; };
extern struct pool *pool;
void at(int i)
{
    SpinLockAcquire(&pool->guard);
    pool->cells[0] = 1;
    pool->cells[2000] = 1;
    SpinLockRelease(&pool->guard);
}
void anywhere(int i)
{
    SpinLockAcquire(&pool->guard);
    pool->cells[i] = 1;
    SpinLockRelease(&pool->guard);
}

// expect: section 7 10 lock=pool->guard scope=singleton
// expect: section 14 16 lock=pool->guard scope=singleton
// expect: finding fault-under-lock medium 9 object=pool->cells[2000]
// expect: finding fault-under-lock high 15 object=pool->cells[]
