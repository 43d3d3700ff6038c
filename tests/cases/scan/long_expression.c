// Everything at once in one expression: assignments, calls and conditions in the order of C.
#include "lock.h"
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first, used; struct slot *slots; };
extern struct pool *pool;
int take(void)
{
    int i;
    SpinLockAcquire(&pool->guard);
    return (i = pool->first) >= 0 && (pool->first = pool->slots[i].next, pool->used++, 1)
               ? (SpinLockRelease(&pool->guard), i)
               : (SpinLockRelease(&pool->guard), -1);
}

// expect: section 9 11,12 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 10 object=pool->slots[].next
