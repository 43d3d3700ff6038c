// The same walk with a pointer that moves, and a bound that is a pointer.
#include "lock.h"
struct slot { int used; char data[4092]; };
extern struct pool { slock_t guard; int n; struct slot *slots; } *pool;
int count(void)
{
    int n = 0;
    SpinLockAcquire(&pool->guard);
    for (struct slot *s = pool->slots, *end = s + pool->n; s < end; s++)
        n += s->used;
    SpinLockRelease(&pool->guard);
    return n;
}

// expect: section 8 11 lock=pool->guard scope=singleton
// expect: finding loop medium 9 object=pool->guard
// expect: finding fault-under-lock high 10 object=s->used
