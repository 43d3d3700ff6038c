// Memory that a function of ours returns is fresh when it is fresh there, and touched if it touched it.
#include <stdlib.h>
#include "lock.h"
struct area { int n; char data[64]; };
extern struct pool { slock_t guard; struct area *first; } *pool;
static struct area *make(void) { return malloc(sizeof(struct area)); }
static struct area *make_filled(int n)
{
    struct area *area = malloc(sizeof *area);
    if (area)
        area->n = n;
    return area;
}
int fresh(void)
{
    struct area *area = make();
    SpinLockAcquire(&pool->guard);
    area->n = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}
int filled(void)
{
    struct area *area = make_filled(3);
    if (!area)
        return -1;
    SpinLockAcquire(&pool->guard);
    area->n = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}

// expect: section 17 19 lock=pool->guard scope=singleton
// expect: section 27 29 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 18 object=area->n
