// palloc's memory is fresh; palloc0's was written to.
#include "lock.h"
void *palloc(size_t size);
void *palloc0(size_t size);
struct area { int n; char data[8192]; };
extern struct pool { slock_t guard; struct area *first; } *pool;
int fresh(void)
{
    struct area *area = palloc(sizeof *area);
    SpinLockAcquire(&pool->guard);
    area->n = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}
int zeroed(void)
{
    struct area *area = palloc0(sizeof *area);
    SpinLockAcquire(&pool->guard);
    area->n = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}

// expect: section 10 12 lock=pool->guard scope=singleton
// expect: section 18 20 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 11 object=area->n
