// A call through a pointer, with those it may be.
#include "lock.h"
struct ops { int (*next)(int); };
struct pool { slock_t guard; int first; const struct ops *ops; };
static int up(int i) { return i + 1; }
static int down(int i) { return i - 1; }
const struct ops up_ops = {.next = up}, down_ops = {.next = down};
void step(struct pool *pool, const struct ops *ops)
{
    SpinLockAcquire(&pool->guard);
    pool->first = ops->next(pool->first);
    SpinLockRelease(&pool->guard);
}

// expect: section 10 12 lock=pool->guard scope=instance
// expect: finding indirect-call low 11 object=ops->next
