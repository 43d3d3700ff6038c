// A function nobody has seen; one whose body is here.
#include "lock.h"
struct pool { slock_t guard; int first; };
extern int measure(int);
static int twice(int i) { return 2 * i; }
void set(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pool->first = measure(1);
    SpinLockRelease(&pool->guard);
}
void set_known(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pool->first = twice(1);
    SpinLockRelease(&pool->guard);
}

// expect: section 8 10 lock=pool->guard scope=instance
// expect: section 14 16 lock=pool->guard scope=instance
// expect: finding unknown-call low 9 object=measure
