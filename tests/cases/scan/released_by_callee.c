// The callee releases the caller's lock; what it does after that is not under it.
#include "lock.h"
#include <unistd.h>
struct pool { slock_t guard; int first; };
static void finish(struct pool *pool)
{
    pool->first = 0;
    SpinLockRelease(&pool->guard);
    usleep(10);
}
void run(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pool->first = 1;
    finish(pool);
    __spinfault_debug_held();
}

// expect: section 5 8 lock=pool->guard scope=instance entered-held
// expect: section 13 15 lock=pool->guard scope=instance
// expect: debug 16 held=
// expect: none
