// longjmp out of the section leaves the lock held; setjmp's second return is behind no acquire.
#include <setjmp.h>
#include "lock.h"
struct pool { slock_t guard; int first; };
extern jmp_buf back;
int guarded(struct pool *pool)
{
    if (setjmp(back))
        return -1;
    SpinLockAcquire(&pool->guard);
    if (pool->first < 0)
        longjmp(back, 1);
    SpinLockRelease(&pool->guard);
    return 0;
}
static void fail(void) { longjmp(back, 2); }
void deep(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    if (pool->first < 0)
        fail();
    SpinLockRelease(&pool->guard);
}
void outside(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    int first = pool->first;
    SpinLockRelease(&pool->guard);
    if (first < 0)
        longjmp(back, 1);
}

// expect: section 10 13 lock=pool->guard scope=instance
// expect: section 19 22 lock=pool->guard scope=instance
// expect: section 26 28 lock=pool->guard scope=instance
// expect: finding error-exit high 12 object=longjmp
// expect: finding error-exit high 21 object=fail
