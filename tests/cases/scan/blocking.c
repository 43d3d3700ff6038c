// What sleeps, directly and two calls deep.
#include "lock.h"
#include <unistd.h>
struct pool { slock_t guard; int first; };
static void nap(void) { usleep(5); }
static void rest(void) { nap(); }
void direct(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    usleep(10);
    SpinLockRelease(&pool->guard);
}
void deep(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    rest();
    SpinLockRelease(&pool->guard);
}
void after(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pool->first++;
    SpinLockRelease(&pool->guard);
    usleep(10);
}

// expect: section 9 11 lock=pool->guard scope=instance
// expect: section 15 17 lock=pool->guard scope=instance
// expect: section 21 23 lock=pool->guard scope=instance
// expect: finding blocking high 10 object=usleep
// expect: finding blocking high 16 object=rest
