// A callee's touches are the caller's.
#include "lock.h"
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first; };
extern struct pool *pool;
extern struct slot *slots;
static struct slot *slot_at(int i) { return &slots[i]; }
static int next_of(struct slot *slot) { return slot->next; }
int take(void)
{
    SpinLockAcquire(&pool->guard);
    int i = pool->first;
    pool->first = next_of(slot_at(i));
    SpinLockRelease(&pool->guard);
    return i;
}

// expect: section 11 14 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 13 object=slots[].next
