// Pushing what the caller has at hand touches nothing new.
#include "lock.h"
struct node { struct node *next; int value; };
struct list { slock_t guard; struct node *head; };
void push(struct list *list, struct node *node)
{
    node->value = 1;
    SpinLockAcquire(&list->guard);
    node->next = list->head;
    list->head = node;
    SpinLockRelease(&list->guard);
}

// expect: section 8 11 lock=list->guard scope=instance
// expect: none
