// Through a table of functions, through a pointer in the object, and deep in a callee.
#include "lock.h"
struct pool { slock_t guard; int kind, first; void (*changed)(struct pool *); };
extern struct pool *pool;
extern int (*handlers[8])(int);
void by_table(void)
{
    SpinLockAcquire(&pool->guard);
    pool->first = handlers[pool->kind](pool->first);
    SpinLockRelease(&pool->guard);
}
void by_field(void)
{
    SpinLockAcquire(&pool->guard);
    (*pool->changed)(pool);
    SpinLockRelease(&pool->guard);
}
static void tell(struct pool *some) { some->changed(some); }
void deep(void)
{
    SpinLockAcquire(&pool->guard);
    tell(pool);
    SpinLockRelease(&pool->guard);
}

// expect: section 8 10 lock=pool->guard scope=singleton
// expect: section 14 16 lock=pool->guard scope=singleton
// expect: section 21 23 lock=pool->guard scope=singleton
// expect: finding indirect-call medium 9 object=handlers[]
// expect: finding indirect-call medium 15 object=pool->changed
// expect: finding indirect-call medium 22 object=some->changed
