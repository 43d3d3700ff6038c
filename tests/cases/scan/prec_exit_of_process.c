// exit() takes a lock along that lies in the process's own memory. One in shared memory stays taken,
// and so does any when an error leaves by longjmp.
#include "lock.h"
#include <stdlib.h>
void longjmp(void *where, int value);
struct pool { slock_t guard; int n; };
static slock_t own;
extern struct pool *pool;
static void die(int code) { exit(code); }
void check_own(int n)
{
    SpinLockAcquire(&own);
    if (n < 0)
        die(1);
    SpinLockRelease(&own);
}
void check_shared(int n)
{
    SpinLockAcquire(&pool->guard);
    if (n < 0)
        die(1);
    SpinLockRelease(&pool->guard);
}
void leave(void *where, int n)
{
    SpinLockAcquire(&own);
    if (n < 0)
        longjmp(where, 1);
    SpinLockRelease(&own);
}

// expect: section 12 15 lock=own scope=singleton
// expect: section 19 22 lock=pool->guard scope=singleton
// expect: section 26 29 lock=own scope=singleton
// expect: finding error-exit low 14 object=die
// expect: finding error-exit high 21 object=die
// expect: finding error-exit high 28 object=longjmp
