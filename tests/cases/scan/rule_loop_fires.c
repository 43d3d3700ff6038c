// Bounds that are none: a length from outside, a list, a condition that somebody else changes.
#include "lock.h"
struct node { struct node *next; };
struct pool { slock_t guard; struct node *head; int used; volatile int ready; char names[4096]; };
void given(struct pool *pool, int n)
{
    SpinLockAcquire(&pool->guard);
    for (int i = 0; i < n; i++)
        pool->used += i;
    SpinLockRelease(&pool->guard);
}
void list(struct pool *pool)
{
    int n = 0;
    SpinLockAcquire(&pool->guard);
    for (struct node *node = pool->head; node; node = node->next)
        n++;
    pool->used = n;
    SpinLockRelease(&pool->guard);
}
void for_others(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    while (!pool->ready)
        ;
    SpinLockRelease(&pool->guard);
}
void big_constant(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    for (int i = 0; i < 4096; i++)
        pool->used += i;
    SpinLockRelease(&pool->guard);
}

// expect: section 7 10 lock=pool->guard scope=instance
// expect: section 15 19 lock=pool->guard scope=instance
// expect: section 23 26 lock=pool->guard scope=instance
// expect: section 30 33 lock=pool->guard scope=instance
// expect: finding loop low 8 object=pool->guard
// expect: finding loop low 16 object=pool->guard
// expect: finding fault-under-lock high 16 object=node->next
// expect: finding loop low 24 object=pool->guard
// expect: finding loop low 31 object=pool->guard
