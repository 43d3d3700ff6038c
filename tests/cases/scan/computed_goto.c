// A computed goto may go to any of its labels.
#include "lock.h"
struct pool { slock_t guard; int first; };
int run(struct pool *pool, int what)
{
    static const void *const labels[] = {&&add, &&done};
    SpinLockAcquire(&pool->guard);
    goto *labels[what & 1];
add:
    pool->first++;
done:
    SpinLockRelease(&pool->guard);
    return pool->first;
}

// expect: section 7 12 lock=pool->guard scope=instance
// expect: none
