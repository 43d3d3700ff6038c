// Ways out that forget the lock: exit, an error report, a function of our own that never returns.
#include <stdlib.h>
#include "lock.h"
extern void give_up(const char *why) __attribute__((noreturn));
extern _Noreturn void stop(void);
struct pool { slock_t guard; int first; };
void ends(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    if (pool->first < 0)
        exit(1);
    SpinLockRelease(&pool->guard);
}
void gives_up(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    if (pool->first < 0)
        give_up("negative");
    if (pool->first == 0)
        stop();
    SpinLockRelease(&pool->guard);
}

// expect: section 9 12 lock=pool->guard scope=instance
// expect: section 16 21 lock=pool->guard scope=instance
// expect: finding error-exit high 11 object=exit
// expect: finding error-exit high 18 object=give_up
// expect: finding error-exit high 20 object=stop
