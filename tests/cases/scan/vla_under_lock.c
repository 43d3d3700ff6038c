// A variable-length array: small ones are stack; nothing else is known of them.
#include "lock.h"
struct pool { slock_t guard; int used; };
int sum(struct pool *pool, int n)
{
    int copy[n];
    for (int i = 0; i < n; i++)
        copy[i] = i;
    SpinLockAcquire(&pool->guard);
    pool->used = copy[0];
    __spinfault_debug_residency(&copy[1]);
    SpinLockRelease(&pool->guard);
    return copy[n - 1] + (int)sizeof copy;
}

// expect: section 9 12 lock=pool->guard scope=instance
// expect: debug 11 residency=stack
// expect: none
