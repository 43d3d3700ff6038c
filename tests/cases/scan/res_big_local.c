// A big local array: the stack's pages are as fresh as any when it is first used that deep.
#include <string.h>
#include "lock.h"
extern struct pool { slock_t guard; int first; } *pool;
int deep(void)
{
    char scratch[65536];
    SpinLockAcquire(&pool->guard);
    scratch[0] = (char)pool->first;
    int n = scratch[0];
    SpinLockRelease(&pool->guard);
    return n;
}
int shallow(void)
{
    char scratch[512];
    SpinLockAcquire(&pool->guard);
    scratch[0] = (char)pool->first;
    int n = scratch[0];
    SpinLockRelease(&pool->guard);
    return n;
}
int used_before(void)
{
    char scratch[65536];
    memset(scratch, 0, sizeof scratch);
    SpinLockAcquire(&pool->guard);
    scratch[40000] = (char)pool->first;
    int n = scratch[0];
    SpinLockRelease(&pool->guard);
    return n;
}

// expect: section 8 11 lock=pool->guard scope=singleton
// expect: section 17 20 lock=pool->guard scope=singleton
// expect: section 27 30 lock=pool->guard scope=singleton
// expect: finding fault-under-lock low 9 object=scratch[0]
