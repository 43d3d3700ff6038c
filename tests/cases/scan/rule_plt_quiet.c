// What the compiler writes out itself, functions of the file, and locks that there are many of.
#include <math.h>
#include <string.h>
#include "lock.h"
struct pool { slock_t guard; double level; char tag[8]; };
extern struct pool *the_pool;
static double half(double x) { return x / 2; }
void builtins(const char *tag)
{
    SpinLockAcquire(&the_pool->guard);
    memcpy(the_pool->tag, tag, 8);
    the_pool->level = half(the_pool->level);
    SpinLockRelease(&the_pool->guard);
}
void many(struct pool *pool, double x)
{
    SpinLockAcquire(&pool->guard);
    pool->level = pow(x, 3);
    SpinLockRelease(&pool->guard);
}

// expect: section 10 13 lock=the_pool->guard scope=singleton
// expect: section 17 19 lock=pool->guard scope=instance
// expect: none
// expect: quiet plt-first-call
