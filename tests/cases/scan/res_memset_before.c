// memset over the whole of it before; over a part of it does not speak of the rest.
#include <stdlib.h>
#include <string.h>
#include "lock.h"
struct area { int n; char data[16384]; int last; };
extern struct pool { slock_t guard; int first; } *pool;
int whole(void)
{
    struct area *area = malloc(sizeof *area);
    memset(area, 0, sizeof *area);
    SpinLockAcquire(&pool->guard);
    area->last = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}
int a_part(void)
{
    struct area *area = malloc(sizeof *area);
    memset(area, 0, 64);
    SpinLockAcquire(&pool->guard);
    area->n = 1;
    area->last = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}

// expect: section 11 13 lock=pool->guard scope=singleton
// expect: section 20 23 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 22 object=area->last
