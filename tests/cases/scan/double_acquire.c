// Taken by who holds it, directly and through a callee; another one's lock is another matter.
#include "lock.h"
struct pool { slock_t guard; int first; };
static int get(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    int i = pool->first;
    SpinLockRelease(&pool->guard);
    return i;
}
void direct(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    SpinLockAcquire(&pool->guard);
    SpinLockRelease(&pool->guard);
}
void through(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pool->first = get(pool);
    SpinLockRelease(&pool->guard);
}
void other(struct pool *a, struct pool *b)
{
    SpinLockAcquire(&a->guard);
    a->first = get(b);
    SpinLockRelease(&a->guard);
}

// expect: section 6 8 lock=pool->guard scope=instance
// expect: section 13 15 lock=pool->guard scope=instance
// expect: section 14 - lock=pool->guard scope=instance
// expect: section 19 21 lock=pool->guard scope=instance
// expect: section 25 27 lock=a->guard scope=instance
// expect: finding double-acquire high 14 object=pool->guard
// expect: finding double-acquire high 20 object=pool->guard
// expect: finding nested-lock low 26 object=b->guard
