// Touched on one path only: not good enough.
#include "lock.h"
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first; };
extern struct pool *pool;
extern struct slot *slots;
int take(int i, int warm)
{
    int sum = 0;
    if (warm)
        sum = slots[i].next;
    SpinLockAcquire(&pool->guard);
    pool->first = slots[i].next;
    SpinLockRelease(&pool->guard);
    return sum;
}

// expect: section 12 14 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 13 object=slots[].next
