// realloc gives memory that may be elsewhere: what was touched before was the old one.
#include <stdlib.h>
#include "lock.h"
struct area { int n; char data[8192]; };
extern struct pool { slock_t guard; struct area *first; } *pool;
int grow(struct area *old)
{
    old->n = 1;
    struct area *area = realloc(old, 2 * sizeof *area);
    SpinLockAcquire(&pool->guard);
    area->data[8000] = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}

// expect: section 10 12 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 11 object=area->data[8000]
