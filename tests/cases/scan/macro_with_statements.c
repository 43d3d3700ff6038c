// A lock and an unlock macro that only work together: one opens the block, the other closes it.
#include "lock.h"
struct pool { slock_t guard; int first; };
#define ENTER(p) do { struct pool *entered_ = (p); SpinLockAcquire(&entered_->guard);
#define LEAVE()  SpinLockRelease(&entered_->guard); } while (0)
int look(struct pool *pool)
{
    int first;
    ENTER(pool)
        first = pool->first;
        __spinfault_debug_held();
    LEAVE();
    __spinfault_debug_held();
    return first;
}

// expect: section 9 12 lock=pool->guard scope=instance
// expect: debug 11 held=pool->guard
// expect: debug 13 held=
// expect: none
