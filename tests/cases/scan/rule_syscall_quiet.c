// The kernel is asked before, told after, and what only looks like a call to it is none.
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include "lock.h"
struct pool { slock_t guard; time_t when; int owner, time; };
void stamp(struct pool *pool)
{
    time_t now = time(NULL);
    SpinLockAcquire(&pool->guard);
    pool->when = now;
    pool->time = 0;
    int owner = pool->owner;
    SpinLockRelease(&pool->guard);
    kill(owner, SIGUSR1);
}

// expect: section 10 14 lock=pool->guard scope=instance
// expect: none
// expect: quiet syscall
