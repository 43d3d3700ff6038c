// A function that is named by its address is no pointer, and one that is called later is no matter.
#include "lock.h"
struct pool { slock_t guard; int first; int (*changed)(int); };
static int next(int i) { return i + 1; }
void direct(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pool->first = (&next)(pool->first);
    pool->first = (*next)(pool->first);
    SpinLockRelease(&pool->guard);
}
int later(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    int (*changed)(int) = pool->changed;
    int first = pool->first;
    SpinLockRelease(&pool->guard);
    return changed(first);
}

// expect: section 7 10 lock=pool->guard scope=instance
// expect: section 14 17 lock=pool->guard scope=instance
// expect: none
// expect: quiet indirect-call
