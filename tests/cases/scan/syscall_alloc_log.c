// A system call, an allocation and a message, each its own rule.
#include "lock.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct pool { slock_t guard; int owner; void *spare; };
extern struct pool *pool;
void stamp(void)
{
    SpinLockAcquire(&pool->guard);
    pool->owner = getpid();
    SpinLockRelease(&pool->guard);
}
void grow(void)
{
    SpinLockAcquire(&pool->guard);
    pool->spare = malloc(64);
    SpinLockRelease(&pool->guard);
}
void tell(char *text)
{
    SpinLockAcquire(&pool->guard);
    snprintf(text, 20, "%d", pool->owner);
    SpinLockRelease(&pool->guard);
}

// expect: section 10 12 lock=pool->guard scope=singleton
// expect: section 16 18 lock=pool->guard scope=singleton
// expect: section 22 24 lock=pool->guard scope=singleton
// expect: finding syscall high 11 object=getpid
// expect: finding alloc high 17 object=malloc
// expect: finding plt-first-call low 23 object=snprintf
