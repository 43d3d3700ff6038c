// Freed on one way only, and through a function of the file.
#include <stdlib.h>
#include "lock.h"
struct node { struct node *next; };
struct pool { slock_t guard; struct node *first; int used; };
static void drop(struct node *node)
{
    if (node)
        free(node);
}
void shrink(struct pool *pool, struct node *node)
{
    SpinLockAcquire(&pool->guard);
    if (--pool->used < 0)
        drop(node);
    SpinLockRelease(&pool->guard);
}

// expect: section 13 16 lock=pool->guard scope=instance
// expect: finding alloc medium 15 object=drop
