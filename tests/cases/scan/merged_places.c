// What a section does several times is one finding that says where, by whichever function it comes
// to it. A place that is all right stays by itself, and each way that keeps the lock is a bug.
#include <stdio.h>
#include "lock.h"
struct pool { slock_t guard; int head, tail; };
extern struct pool *pool;

static void tell(int n)
{
    printf("%d\n", n);
}

int check(int n)
{
    SpinLockAcquire(&pool->guard);
    if (n < 0) {
        printf("negative\n");
        SpinLockRelease(&pool->guard);
        return -1;
    }
    if (n > pool->head)
        tell(n);
    /* spinfault: ok(log) once, when it is full */
    printf("full\n");
    if (n > pool->tail)
        printf("behind\n");
    SpinLockRelease(&pool->guard);
    return 0;
}

int keep(int n)
{
    SpinLockAcquire(&pool->guard);
    if (n < 0)
        return -1;
    if (n > pool->head)
        return -2;
    SpinLockRelease(&pool->guard);
    return 0;
}

// expect: section 15 18,27 lock=pool->guard scope=singleton
// expect: section 33 38 lock=pool->guard scope=singleton left-held
// expect: finding log high 17,26 object=printf
// expect: finding blocking high 22 object=tell
// expect: finding log high 24 object=printf suppressed
// expect: finding lock-leak high 35 object=pool->guard
