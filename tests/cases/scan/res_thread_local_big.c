// A small thread-local is resident, a big one has pages of its own.
#include "lock.h"
static __thread int depth;
static __thread char trace[1 << 20];
extern struct pool { slock_t guard; int first; } *pool;
void note(int i)
{
    SpinLockAcquire(&pool->guard);
    depth++;
    pool->first = depth;
    trace[i] = 1;
    SpinLockRelease(&pool->guard);
}

// expect: section 8 12 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 11 object=trace[]
