// Released, then out of the loop; and a round that keeps it to the end.
#include "lock.h"
struct pool { slock_t guard; int first; };
void drain(struct pool *pool)
{
    while (true) {
        SpinLockAcquire(&pool->guard);
        if (pool->first < 0) {
            SpinLockRelease(&pool->guard);
            break;
        }
        pool->first--;
        SpinLockRelease(&pool->guard);
    }
    __spinfault_debug_held();
}

// expect: section 7 9,13 lock=pool->guard scope=instance
// expect: debug 15 held=
// expect: none
