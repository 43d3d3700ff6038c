// What a callee does with an argument is not done where it is given NULL.
#include "lock.h"
struct node { struct node *next; char *name; char pad[5000]; };
struct pool { slock_t guard; struct node *head; };
static void fill(struct node *to, const struct node *from)
{
    to->next = NULL;
    if (from)
        to->name = from->next->name;
}
void with_null(struct pool *pool)
{
    struct node n;
    SpinLockAcquire(&pool->guard);
    fill(&n, NULL);
    SpinLockRelease(&pool->guard);
}
void with_a_source(struct pool *pool)
{
    struct node n;
    SpinLockAcquire(&pool->guard);
    fill(&n, pool->head);
    SpinLockRelease(&pool->guard);
}

// expect: section 14 16 lock=pool->guard scope=instance
// expect: section 21 23 lock=pool->guard scope=instance
// expect: finding fault-under-lock medium 22 object=pool->head->next
