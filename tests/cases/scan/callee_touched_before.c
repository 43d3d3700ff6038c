// So are those a callee made before the lock was taken.
#include "lock.h"
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first; };
extern struct pool *pool;
static int warm(struct slot *slot) { return slot->next; }
void put(struct slot *slots, int i)
{
    struct slot *slot = &slots[i];
    warm(slot);
    SpinLockAcquire(&pool->guard);
    slot->next = pool->first;
    SpinLockRelease(&pool->guard);
}

// expect: section 11 13 lock=pool->guard scope=singleton
// expect: none
