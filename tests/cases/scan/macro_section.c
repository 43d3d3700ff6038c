// A macro that holds an acquire makes a section where it is used.
#include "lock.h"
struct pool { slock_t guard; int first; };
#define POOL_SET(pool, value)             \
    do {                                  \
        SpinLockAcquire(&(pool)->guard);  \
        (pool)->first = (value);          \
        SpinLockRelease(&(pool)->guard);  \
    } while (0)
void set(struct pool *pool)
{
    POOL_SET(pool, 1);
    POOL_SET(pool, 2);
}

// expect: section 12 12 lock=pool->guard scope=instance
// expect: section 13 13 lock=pool->guard scope=instance
// expect: none
