// The message is put together under the lock, and written when it is released.
#include <stdio.h>
#include <syslog.h>
#include "lock.h"
struct pool { slock_t guard; int first; };
void report(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    int first = pool->first;
    SpinLockRelease(&pool->guard);
    if (first < 0)
        syslog(LOG_ERR, "first is %d", first);
    fprintf(stderr, "%d\n", first);
}

// expect: section 8 10 lock=pool->guard scope=instance
// expect: none
// expect: quiet log
