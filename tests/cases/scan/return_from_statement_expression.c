// A return inside a statement expression leaves the function with the lock held.
#include "lock.h"
struct pool { slock_t guard; int first; };
#define CHECKED(p) ({ if ((p)->first < 0) return -1; (p)->first; }) 
int take(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    int i = CHECKED(pool);
    SpinLockRelease(&pool->guard);
    return i;
}

// expect: section 7 9 lock=pool->guard scope=instance left-held
// expect: finding lock-leak high 8 object=pool->guard
