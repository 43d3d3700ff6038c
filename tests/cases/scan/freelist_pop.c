// The case this program exists for: the head of a free list is popped under one lock for all.
#include "lock.h"
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first; int used; };
extern struct pool *pool;
extern struct slot *slots;
int take(void)
{
    SpinLockAcquire(&pool->guard);
    int i = pool->first;
    if (i >= 0) {
        pool->first = slots[i].next;
        pool->used++;
    }
    SpinLockRelease(&pool->guard);
    return i;
}

// expect: section 9 15 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 12 object=slots[].next
