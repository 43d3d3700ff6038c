// Allocated before, swapped in under the lock, freed after; and memory of the stack.
#include <stdlib.h>
#include "lock.h"
struct pool { slock_t guard; void *spare; };
extern struct pool *pool;
void swap(size_t n)
{
    void *fresh = malloc(n), *old;
    SpinLockAcquire(&pool->guard);
    old = pool->spare;
    pool->spare = fresh;
    SpinLockRelease(&pool->guard);
    free(old);
}
int local(int n)
{
    SpinLockAcquire(&pool->guard);
    int *few = __builtin_alloca(16);
    few[0] = n;
    SpinLockRelease(&pool->guard);
    return few[0];
}

// expect: section 9 12 lock=pool->guard scope=singleton
// expect: section 17 20 lock=pool->guard scope=singleton
// expect: none
// expect: quiet alloc
