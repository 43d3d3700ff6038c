// A call into the C library that is otherwise harmless, under a lock that there is one of.
#include <math.h>
#include <stdlib.h>
#include "lock.h"
extern struct pool { slock_t guard; double level; } *pool;
void set(double x)
{
    SpinLockAcquire(&pool->guard);
    pool->level = pow(x, 3);
    SpinLockRelease(&pool->guard);
}

// expect: section 8 10 lock=pool->guard scope=singleton
// expect: finding plt-first-call low 9 object=pow
