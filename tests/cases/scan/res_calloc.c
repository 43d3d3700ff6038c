// calloc's zeroes are the kernel's own page: nothing is mapped before it is written to.
#include <stdlib.h>
#include "lock.h"
struct area { int n; char data[8192]; };
extern struct pool { slock_t guard; struct area *first; } *pool;
int fresh(void)
{
    struct area *area = calloc(1, sizeof *area);
    SpinLockAcquire(&pool->guard);
    area->n = 1;
    pool->first = area;
    SpinLockRelease(&pool->guard);
    return 0;
}
int filled(void)
{
    struct area *area = calloc(1, sizeof *area);
    area->n = 1;
    SpinLockAcquire(&pool->guard);
    area->n = 2;
    pool->first = area;
    SpinLockRelease(&pool->guard);
    return 0;
}

// expect: section 9 12 lock=pool->guard scope=singleton
// expect: section 19 22 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 10 object=area->n
