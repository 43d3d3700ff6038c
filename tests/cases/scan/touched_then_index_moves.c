// The element that was touched is not the one that is used.
#include "lock.h"
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first; };
extern struct pool *pool;
extern struct slot *slots;
int take(int i)
{
    int sum = slots[i].next;
    i++;
    SpinLockAcquire(&pool->guard);
    pool->first = slots[i].next;
    SpinLockRelease(&pool->guard);
    return sum;
}

// expect: section 11 13 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 12 object=slots[].next
