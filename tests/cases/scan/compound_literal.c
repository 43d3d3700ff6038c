// A compound literal is on the stack; an object at file scope that is one is not.
#include "lock.h"
struct point { int x, y; };
struct pool { slock_t guard; struct point at; };
void move(struct pool *pool, int x)
{
    SpinLockAcquire(&pool->guard);
    pool->at = (struct point){.x = x, .y = 2 * x};
    const struct point *from = &(struct point){x, x};
    __spinfault_debug_residency(from);
    pool->at.x += from->x;
    SpinLockRelease(&pool->guard);
}

// expect: section 7 12 lock=pool->guard scope=instance
// expect: debug 10 residency=stack
// expect: none
