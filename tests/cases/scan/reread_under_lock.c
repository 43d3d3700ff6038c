// The head that was seen without the lock may be another one under it.
#include "lock.h"
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first; };
extern struct pool *pool;
extern struct slot *slots;
int take(void)
{
    int seen = pool->first;
    int next = slots[seen].next;
    SpinLockAcquire(&pool->guard);
    int i = pool->first;
    if (i == seen)
        pool->first = next;
    else
        pool->first = slots[i].next;
    SpinLockRelease(&pool->guard);
    return i;
}

// expect: section 11 17 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 16 object=slots[].next
