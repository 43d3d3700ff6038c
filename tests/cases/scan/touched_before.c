// What every path has touched before the lock is mapped.
#include "lock.h"
struct node { int value; struct node *next; };
struct list { slock_t guard; struct node *head; };
extern struct list *list;
int peek(struct node **table, int i)
{
    struct node *node = table[i];
    int before = node->value;
    SpinLockAcquire(&list->guard);
    if (list->head == node)
        list->head = node->next;
    __spinfault_debug_residency(&node->value);
    SpinLockRelease(&list->guard);
    return before;
}

// expect: section 10 14 lock=list->guard scope=singleton
// expect: debug 13 residency=touched-before
// expect: none
