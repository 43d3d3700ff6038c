// A macro of the project's own that uses a macro of the project's own that uses the lock API.
#include "lock.h"
struct pool { slock_t guard; int first; };
extern struct pool *the_pool;
extern struct slot { int next; char data[60]; } *slots;
#define POOL_LOCK()       SpinLockAcquire(&the_pool->guard)
#define POOL_UNLOCK()     SpinLockRelease(&the_pool->guard)
#define WITH_POOL(body)   do { POOL_LOCK(); body; POOL_UNLOCK(); } while (0)
#define POOL_POP(result)  WITH_POOL((result) = the_pool->first; the_pool->first = slots[result].next)
int take(void)
{
    int i;
    POOL_POP(i);
    return i;
}
void reset(void)
{
    POOL_LOCK();
    the_pool->first = 0;
    POOL_UNLOCK();
    __spinfault_debug_held();
}

// expect: section 13 13 lock=the_pool->guard scope=singleton
// expect: section 18 20 lock=the_pool->guard scope=singleton
// expect: finding fault-under-lock high 13 object=slots[].next
// expect: debug 21 held=
