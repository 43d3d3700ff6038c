// A wrapper takes the lock and its caller forgets it; one that is given the pool by another name.
#include "lock.h"
struct pool { slock_t guard; int first; };
static void enter(struct pool *p) { SpinLockAcquire(&p->guard); }
static void leave(struct pool *p) { SpinLockRelease(&p->guard); }
int forgets(struct pool *pool, int n)
{
    enter(pool);
    if (n < 0)
        return -1;
    pool->first = n;
    leave(pool);
    return 0;
}
void twice(struct pool *pool)
{
    struct pool *same = pool;
    enter(pool);
    enter(same);
    pool->first = 0;
    leave(same);
}

// expect: section 8 12 lock=pool->guard scope=instance left-held
// expect: section 18 21 lock=pool->guard scope=instance
// expect: section 19 - lock=pool->guard scope=instance
// expect: finding lock-leak high 10 object=pool->guard
// expect: finding double-acquire high 19 object=pool->guard
