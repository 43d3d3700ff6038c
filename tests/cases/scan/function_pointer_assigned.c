// Pointers that are set once in the file are what they were set to: one that does nothing is quiet,
// one that allocates is reported as that.
#include <stdlib.h>
#include "lock.h"
struct ops { void (*open)(void *); void *(*make)(size_t); };
struct pool { slock_t guard; int kind; void *spare; const struct ops *ops; };
static void *from_heap(size_t n) { return malloc(n); }
static void nothing(void *p) { (void)p; }
static const struct ops plain = {.open = nothing, .make = from_heap};
static void (*hook)(void *);
extern struct pool *pool;
void install(void) { hook = nothing; }
void call_hook(void)
{
    SpinLockAcquire(&pool->guard);
    hook(pool->spare);
    SpinLockRelease(&pool->guard);
}
void call_ops(void)
{
    SpinLockAcquire(&pool->guard);
    pool->spare = plain.make(8);
    SpinLockRelease(&pool->guard);
}

// expect: section 15 17 lock=pool->guard scope=singleton
// expect: section 21 23 lock=pool->guard scope=singleton
// expect: finding alloc high 22 object=plain.make
