// Bit-fields beside the lock are on its page; those of an element far away are not.
#include "lock.h"
struct flags { unsigned used : 1, dirty : 1, rest : 30; char data[60]; };
struct pool { slock_t guard; unsigned open : 1, full : 1; int first; struct flags *flags; };
extern struct pool *pool;
void mark(int i)
{
    SpinLockAcquire(&pool->guard);
    pool->open = 1;
    pool->full = !pool->open;
    pool->flags[i].dirty = 1;
    SpinLockRelease(&pool->guard);
}

// expect: section 8 12 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 11 object=pool->flags[].dirty
