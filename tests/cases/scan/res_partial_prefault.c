// A loop over the first few elements is no prefault of an array that is bigger.
#include "lock.h"
struct slot { int next; char data[4092]; };
extern struct pool { slock_t guard; int first; } *pool;
extern struct slot *slots;
static struct slot table[64];
int few(int i)
{
    for (int k = 0; k < 4; k++)
        slots[k].next = 0;
    SpinLockAcquire(&pool->guard);
    pool->first = slots[i].next;
    SpinLockRelease(&pool->guard);
    return i;
}
int all(int i)
{
    for (int k = 0; k < 64; k++)
        table[k].next = 0;
    SpinLockAcquire(&pool->guard);
    pool->first = table[i].next;
    SpinLockRelease(&pool->guard);
    return i;
}

// expect: section 11 13 lock=pool->guard scope=singleton
// expect: section 20 22 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 12 object=slots[].next
