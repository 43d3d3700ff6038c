// What a function does with the lock that it is entered with is told in its own section, not at
// each call; what a callee does that leaves the lock alone is told at the call.
#include "lock.h"
#include <stdlib.h>

struct pool { slock_t guard; int changes; char *text; };

static void apply(struct pool *pool)
{
    pool->text = malloc(64);
    pool->changes++;
}

static int finish(struct pool *pool)
{
    apply(pool);
    SpinLockRelease(&pool->guard);
    return pool->changes;
}

int finish_quickly(struct pool *pool)
{
    return finish(pool);
}

int change(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    return finish(pool);
}

int change_again(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    return finish_quickly(pool);
}

int change_here(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    apply(pool);
    return finish(pool);
}

// The one lock of all: that weighs more than what the callee knows of it.
static struct pool the_pool;
int change_the_pool(void)
{
    SpinLockAcquire(&the_pool.guard);
    return finish(&the_pool);
}

// expect: finding alloc medium 16 object=apply
// expect: finding alloc medium 41 object=apply
// expect: finding alloc high 50 object=finish
