// A local remembers whether the lock was taken.
#include "lock.h"
struct pool { slock_t guard; int first; };
int put(struct pool *pool, int i)
{
    bool held = false;
    if (i > 3) {
        SpinLockAcquire(&pool->guard);
        held = true;
    }
    i++;
    __spinfault_debug_held();
    if (held)
        SpinLockRelease(&pool->guard);
    __spinfault_debug_held();
    return i;
}

// expect: section 8 14 lock=pool->guard scope=instance
// expect: debug 12 held=|pool->guard
// expect: debug 15 held=
// expect: none
