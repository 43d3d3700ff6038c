// The caller's caller touched it before the lock is taken, two levels down.
#include "lock.h"
struct slot { int next; char data[60]; };
extern struct pool { slock_t guard; int first; } *pool;
extern struct slot *slots;
static void take(struct slot *slot)
{
    SpinLockAcquire(&pool->guard);
    pool->first = slot->next;
    SpinLockRelease(&pool->guard);
}
static void through(struct slot *slot) { take(slot); }
int use(int i)
{
    slots[i].next = 0;
    through(&slots[i]);
    return i;
}

// expect: section 8 10 lock=pool->guard scope=singleton
// expect: none
