// A loop that went over the whole array before the lock was taken has mapped it.
#include "lock.h"
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first; };
extern struct pool *pool;
extern struct slot *slots;
extern int n_slots;
int warm_take(void)
{
    int sum = 0;
    for (int i = 0; i < n_slots; i++)
        sum += slots[i].next;
    SpinLockAcquire(&pool->guard);
    int i = pool->first;
    pool->first = slots[i].next;
    SpinLockRelease(&pool->guard);
    return i + sum;
}

// expect: section 13 16 lock=pool->guard scope=singleton
// expect: none
