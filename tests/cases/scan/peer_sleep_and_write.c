// Hazards peers were tried on: a sleep, a write to a file, an allocation behind a flag, a leak.
#include <stdlib.h>
#include <unistd.h>
#include "lock.h"
struct pool { slock_t guard; int fd, first, wants; void *spare; };
void sleeps(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    usleep(1000);
    SpinLockRelease(&pool->guard);
}
void writes(struct pool *pool, const char *text, size_t n)
{
    SpinLockAcquire(&pool->guard);
    (void)!write(pool->fd, text, n);
    SpinLockRelease(&pool->guard);
}
void by_flag(struct pool *pool, int flags)
{
    SpinLockAcquire(&pool->guard);
    if (flags & 4)
        pool->spare = malloc(64);
    SpinLockRelease(&pool->guard);
}
int leaks(struct pool *pool, int n)
{
    SpinLockAcquire(&pool->guard);
    if (n > 100)
        return -1;
    pool->first = n;
    SpinLockRelease(&pool->guard);
    return 0;
}

// expect: section 8 10 lock=pool->guard scope=instance
// expect: section 14 16 lock=pool->guard scope=instance
// expect: section 20 23 lock=pool->guard scope=instance
// expect: section 27 31 lock=pool->guard scope=instance left-held
// expect: finding blocking high 9 object=usleep
// expect: finding blocking high 15 object=write
// expect: finding alloc medium 22 object=malloc
// expect: finding lock-leak high 29 object=pool->guard
