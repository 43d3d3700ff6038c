// What a callee may do only by way of a pointer to one of several functions, not all of which do it,
// is not told of it; what it does besides is what it is known for.
#include <unistd.h>
#include "lock.h"
struct ops { void (*run)(int n); };
struct pool { slock_t guard; const struct ops *ops; };
static void sleeps(int n) { usleep((unsigned)n); }
static void waits(int n) { usleep((unsigned)n + 1); }
static void rests(int n) { (void)n; }
static const struct ops slow = {sleeps}, slower = {waits}, quick = {rests};
void choose(struct pool *pool, int n) { pool->ops = n > 1 ? &slow : n ? &slower : &quick; }
static void run(struct pool *pool) { pool->ops->run(1); }
static void name_and_run(struct pool *pool)
{
    (void)getpid();
    pool->ops->run(1);
}
static void run_and_sleep(struct pool *pool)
{
    pool->ops->run(1);
    usleep(1);
}
void by_pointer(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    run(pool);
    SpinLockRelease(&pool->guard);
}
void also(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    name_and_run(pool);
    SpinLockRelease(&pool->guard);
}
void surely(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    run_and_sleep(pool);
    SpinLockRelease(&pool->guard);
}

// expect: finding fault-under-lock medium 26 object=pool->ops->run
// expect: finding indirect-call low 26 object=pool->ops->run
// expect: finding syscall medium 32 object=name_and_run
// expect: finding fault-under-lock medium 32 object=pool->ops->run
// expect: finding indirect-call low 32 object=pool->ops->run
// expect: finding blocking high 38 object=run_and_sleep
// expect: finding fault-under-lock medium 38 object=pool->ops->run
// expect: finding indirect-call low 38 object=pool->ops->run
