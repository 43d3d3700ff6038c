// Six hazards in one section: all of them are named, not only the first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "lock.h"
struct node { struct node *next; int n; char data[100]; };
struct pool { slock_t guard; struct node *head; int used; char names[4096]; void (*hook)(int); };
extern struct pool *pool;
void everything(const char *name, size_t n)
{
    SpinLockAcquire(&pool->guard);
    struct node *node = malloc(sizeof *node);
    node->n = pool->used;
    memcpy(pool->names, name, n);
    printf("%d\n", pool->used);
    usleep(5);
    pool->hook(3);
    SpinLockRelease(&pool->guard);
}

// expect: section 12 19 lock=pool->guard scope=singleton
// expect: finding alloc high 13 object=malloc
// expect: finding fault-under-lock medium 14 object=node->n
// expect: finding bulk-copy medium 15 object=pool->names
// expect: finding log high 16 object=printf
// expect: finding blocking high 17 object=usleep
// expect: finding indirect-call medium 18 object=pool->hook
// expect: finding fault-under-lock low 18 object=pool->hook
