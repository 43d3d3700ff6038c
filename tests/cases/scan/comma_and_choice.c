// Locks in comma expressions and on one side of a conditional operator.
#include "lock.h"
struct pool { slock_t guard; int first; };
int comma(struct pool *pool)
{
    int i = (SpinLockAcquire(&pool->guard), pool->first);
    return SpinLockRelease(&pool->guard), i;
}
void choice(struct pool *pool, int wanted)
{
    wanted ? SpinLockAcquire(&pool->guard) : (void)0;
    pool->first++;
    wanted ? SpinLockRelease(&pool->guard) : (void)0;
    __spinfault_debug_held();
}
int either(struct pool *a, struct pool *b, int which)
{
    struct pool *pool = which ? a : b;
    SpinLockAcquire(&pool->guard);
    int first = pool->first;
    SpinLockRelease(&pool->guard);
    __spinfault_debug_held();
    return first;
}
void choose_twice(struct pool *a, struct pool *b, int which)
{
    SpinLockAcquire(which ? &a->guard : &b->guard);
    a->first = b->first;
    SpinLockRelease(which ? &a->guard : &b->guard);
    __spinfault_debug_held();
}

// expect: section 6 7 lock=pool->guard scope=instance
// expect: section 11 13 lock=pool->guard scope=instance
// expect: section 19 21 lock=pool->guard scope=instance
// expect: section 27 29 lock=b->guard scope=instance
// expect: debug 14 held=
// expect: debug 22 held=
// expect: debug 30 held=
// expect: none
