// Released where only some ways took it: a try whose failure falls through, a loop that may not run.
#include "lock.h"
struct pool { slock_t guard; int first; };
void may_not_run(struct pool *pool, int n)
{
    for (int i = 0; i < n; i++) {
        SpinLockAcquire(&pool->guard);
        pool->first += i;
        break;
    }
    SpinLockRelease(&pool->guard);
}
void by_case(struct pool *pool, int kind)
{
    switch (kind) {
    case 0:
    case 1:
        SpinLockAcquire(&pool->guard);
        pool->first = kind;
        break;
    default:
        break;
    }
    SpinLockRelease(&pool->guard);
}

// expect: section 7 11 lock=pool->guard scope=instance
// expect: section 18 24 lock=pool->guard scope=instance
// expect: finding unheld-release medium 11 object=pool->guard
// expect: finding unheld-release medium 24 object=pool->guard
