// The lock is the last word of its object: what comes first may be a page before it.
#include "lock.h"
struct pool { int first; char names[6000]; int used; slock_t guard; };
extern struct pool *pool;
void count(void)
{
    SpinLockAcquire(&pool->guard);
    pool->used++;
    __spinfault_debug_residency(&pool->used);
    pool->first++;
    SpinLockRelease(&pool->guard);
}

// expect: section 7 11 lock=pool->guard scope=singleton
// expect: debug 9 residency=same-page
// expect: finding fault-under-lock medium 10 object=pool->first
