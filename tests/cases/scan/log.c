// A message under the lock, directly and through a callee.
#include "lock.h"
#include <stdio.h>
#include <syslog.h>
struct pool { slock_t guard; int first; };
static void complain(int n) { syslog(LOG_ERR, "empty: %d", n); }
void direct(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    if (pool->first < 0)
        printf("empty\n");
    SpinLockRelease(&pool->guard);
}
void through(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    if (pool->first < 0)
        complain(pool->first);
    SpinLockRelease(&pool->guard);
}

// expect: section 9 12 lock=pool->guard scope=instance
// expect: section 16 19 lock=pool->guard scope=instance
// expect: finding log medium 11 object=printf
// expect: finding blocking high 18 object=complain
