// A suppression on the line, one on the line above, and one for another rule.
#include "lock.h"
#include <unistd.h>
struct pool { slock_t guard; int first; };
void a(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    usleep(1); /* spinfault: ok(blocking) start-up only */
    SpinLockRelease(&pool->guard);
}
void b(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    // spinfault: ok(blocking) start-up only
    usleep(2);
    SpinLockRelease(&pool->guard);
}
void c(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    usleep(3); /* spinfault: ok(syscall) is not what it is */
    SpinLockRelease(&pool->guard);
}

// expect: section 7 9 lock=pool->guard scope=instance
// expect: section 13 16 lock=pool->guard scope=instance
// expect: section 20 22 lock=pool->guard scope=instance
// expect: finding blocking high 8 object=usleep suppressed
// expect: finding blocking high 15 object=usleep suppressed
// expect: finding blocking high 21 object=usleep
