// A walk from node to node: each may be on a page of its own.
#include "lock.h"
struct node { int value; struct node *next; };
struct list { slock_t guard; struct node *head; };
int find(struct list *list, int value)
{
    int found = 0;
    SpinLockAcquire(&list->guard);
    for (struct node *n = list->head; n; n = n->next)
        if (n->value == value)
            found++;
    SpinLockRelease(&list->guard);
    return found;
}

// expect: section 8 12 lock=list->guard scope=instance
// expect: finding loop low 9 object=list->guard
// expect: finding fault-under-lock high 10 object=n->value
