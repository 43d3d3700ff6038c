// An assumption turns the array into numbers.
// args: --assume NSlots=1048576
#include "lock.h"
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first; };
extern struct pool *pool;
extern struct slot *slots;
int take(void)
{
    SpinLockAcquire(&pool->guard);
    int i = pool->first;
    pool->first = slots[i].next;
    SpinLockRelease(&pool->guard);
    return i;
}

// expect: section 10 13 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 12 object=slots[].next
