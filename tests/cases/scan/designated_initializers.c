// Functions that are stored by designated initialisers, in an array and in a nested record.
#include "lock.h"
struct pool { slock_t guard; int kind, first; };
static int get(int i) { return i; }
int other(int i);
static int put(int i) { return other(i); }
static int (*const actions[])(int) = {[1] = put, [0] = get};
static const struct { struct { int (*run)(int); } hook; } table = {.hook.run = get};
void act(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pool->first = actions[pool->kind](pool->first);
    SpinLockRelease(&pool->guard);
}
void hook(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pool->first = table.hook.run(pool->first);
    SpinLockRelease(&pool->guard);
}

// expect: section 11 13 lock=pool->guard scope=instance
// expect: section 17 19 lock=pool->guard scope=instance
// expect: finding indirect-call low 12 object=actions[]
