// Loops within loops, all of them short by a constant: what comes after them is looked at.
#include "lock.h"
struct pool { slock_t guard; int first, grid[4][4]; };
int sum(struct pool *pool)
{
    int n = 0;
    SpinLockAcquire(&pool->guard);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            n += pool->grid[i][k];
    __spinfault_debug_held();
    SpinLockRelease(&pool->guard);
    __spinfault_debug_held();
    return n;
}
int find(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            if (pool->first == pool->grid[i][k])
                goto found;
    SpinLockRelease(&pool->guard);
    return -1;
found:
    return 1;
}

// expect: section 7 12 lock=pool->guard scope=instance
// expect: section 18 23 lock=pool->guard scope=instance left-held
// expect: debug 11 held=pool->guard
// expect: debug 13 held=
// expect: finding lock-leak high 26 object=pool->guard
// expect: quiet loop
