// The same under one of many locks costs less.
#include "lock.h"
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first; };
extern struct slot *slots;
int take(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    int i = pool->first;
    pool->first = slots[i].next;
    SpinLockRelease(&pool->guard);
    return i;
}

// expect: section 8 11 lock=pool->guard scope=instance
// expect: finding fault-under-lock medium 10 object=slots[].next
