// mlock maps for reading; a private page's first write may fault all the same.
#include <stdlib.h>
#include <sys/mman.h>
#include "lock.h"
struct area { int n; char data[8192]; };
extern struct pool { slock_t guard; int first; } *pool;
int locked(void)
{
    struct area *area = malloc(sizeof *area);
    mlock(area, sizeof *area);
    SpinLockAcquire(&pool->guard);
    pool->first = area->n;
    SpinLockRelease(&pool->guard);
    return 0;
}
int not_locked(void)
{
    struct area *area = malloc(sizeof *area);
    SpinLockAcquire(&pool->guard);
    pool->first = area->n;
    SpinLockRelease(&pool->guard);
    return 0;
}

// expect: section 11 13 lock=pool->guard scope=singleton
// expect: section 19 21 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 20 object=area->n
