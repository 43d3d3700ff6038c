// The same loop under the lock is the problem itself.
#include "lock.h"
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first; };
extern struct pool *pool;
extern struct slot *slots;
int sum(int n)
{
    int sum = 0;
    SpinLockAcquire(&pool->guard);
    for (int i = 0; i < n; i++)
        sum += slots[i].next;
    SpinLockRelease(&pool->guard);
    return sum;
}

// expect: section 10 13 lock=pool->guard scope=singleton
// expect: finding loop medium 11 object=pool->guard
// expect: finding fault-under-lock high 12 object=slots[].next
