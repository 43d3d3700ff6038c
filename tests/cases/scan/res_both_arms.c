// Touched in both arms of a condition, in each case of a switch: touched.
#include "lock.h"
struct slot { int next, prev; char data[56]; };
extern struct pool { slock_t guard; int first; } *pool;
extern struct slot *slots;
int arms(int i, int up)
{
    int n;
    if (up)
        n = slots[i].next;
    else
        n = slots[i].prev;
    SpinLockAcquire(&pool->guard);
    pool->first = slots[i].next + n;
    SpinLockRelease(&pool->guard);
    return n;
}
int cases(int i, int kind)
{
    switch (kind) {
    case 0:
        slots[i].next = 0;
        break;
    case 1:
        slots[i].prev = 0;
        break;
    default:
        slots[i].data[0] = 0;
    }
    SpinLockAcquire(&pool->guard);
    pool->first = slots[i].next;
    SpinLockRelease(&pool->guard);
    return kind;
}

// expect: section 13 15 lock=pool->guard scope=singleton
// expect: section 30 32 lock=pool->guard scope=singleton
// expect: none
