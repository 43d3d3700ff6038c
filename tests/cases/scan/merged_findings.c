// What lies on one page is one finding, named by the worst of it.
#include "lock.h"
struct slot { int next, owner, state; char data[52]; };
struct pool { slock_t guard; int first; };
extern struct pool *pool;
extern struct slot *slots;
void take(int owner)
{
    SpinLockAcquire(&pool->guard);
    struct slot *slot = &slots[pool->first];
    slot->owner = owner;
    slot->state = 1;
    pool->first = slot->next;
    SpinLockRelease(&pool->guard);
}

// expect: section 9 14 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 11 object=slots[].owner
