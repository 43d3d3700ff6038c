// A macro that returns on errors hides a way out.
#include "lock.h"
struct pool { slock_t guard; int first; };
#define CHECK(what)                                                                                \
    do {                                                                                           \
        if (!(what))                                                                               \
            return -1;                                                                             \
    } while (0)
int take(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    CHECK(pool->first >= 0);
    int i = pool->first;
    SpinLockRelease(&pool->guard);
    CHECK(i < 100);
    return i;
}

// expect: section 11 14 lock=pool->guard scope=instance left-held
// expect: finding lock-leak high 12 object=pool->guard
