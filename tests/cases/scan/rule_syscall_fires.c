// Into the kernel: the time, a signal, a mapping, by way of a helper.
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "lock.h"
struct pool { slock_t guard; time_t when; int owner; };
extern struct pool *pool;
void stamp(void)
{
    SpinLockAcquire(&pool->guard);
    pool->when = time(NULL);
    SpinLockRelease(&pool->guard);
}
void wake(struct pool *some)
{
    SpinLockAcquire(&some->guard);
    kill(some->owner, SIGUSR1);
    SpinLockRelease(&some->guard);
}
static int me(void) { return (int)getpid(); }
void own(struct pool *some)
{
    SpinLockAcquire(&some->guard);
    some->owner = me();
    SpinLockRelease(&some->guard);
}

// expect: section 11 13 lock=pool->guard scope=singleton
// expect: section 17 19 lock=some->guard scope=instance
// expect: section 24 26 lock=some->guard scope=instance
// expect: finding syscall high 12 object=time
// expect: finding syscall medium 18 object=kill
// expect: finding syscall medium 25 object=me
