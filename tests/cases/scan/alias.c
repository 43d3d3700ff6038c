// Locals that stand for something else are resolved: one lock, one object.
#include "lock.h"
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first; };
extern struct pool *pool;
extern struct slot *slots;
int take(void)
{
    volatile struct pool *p = pool;
    volatile slock_t *lock = &p->guard;
    SpinLockAcquire(lock);
    int i = p->first;
    struct slot *slot = &slots[i];
    p->first = slot->next;
    SpinLockRelease(&((struct pool *)p)->guard);
    return i;
}

// expect: section 11 15 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 14 object=slots[].next
