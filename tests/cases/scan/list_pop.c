// An object that is taken off a list was at most seen by others, whoever's lock it is.
#include "lock.h"
struct node { struct node *next; int value; };
struct list { slock_t guard; struct node *head; };
struct node *pop(struct list *list)
{
    SpinLockAcquire(&list->guard);
    struct node *node = list->head;
    if (node)
        list->head = node->next;
    SpinLockRelease(&list->guard);
    return node;
}

// expect: section 7 11 lock=list->guard scope=instance
// expect: finding fault-under-lock high 10 object=list->head->next
