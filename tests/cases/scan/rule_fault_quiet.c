// Same page, touched before, small and hot, on the stack: nothing here can fault.
#include "lock.h"
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first, used; };
extern struct pool *pool;
extern struct slot *slots;
static int counters[16];
void calm(int i)
{
    int local = slots[i].next;
    SpinLockAcquire(&pool->guard);
    pool->used += local;
    local = slots[i].next;
    counters[i & 15]++;
    pool->first = local;
    SpinLockRelease(&pool->guard);
}

// expect: section 11 16 lock=pool->guard scope=singleton
// expect: none
// expect: quiet fault-under-lock
