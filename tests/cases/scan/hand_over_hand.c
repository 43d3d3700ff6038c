// The next node's lock is taken before this one's is released.
#include "lock.h"
struct node { slock_t guard; int value; struct node *next; };
int last(struct node *node)
{
    SpinLockAcquire(&node->guard);
    while (node->next) {
        struct node *next = node->next;
        SpinLockAcquire(&next->guard);
        SpinLockRelease(&node->guard);
        node = next;
    }
    __spinfault_debug_held();
    int value = node->value;
    SpinLockRelease(&node->guard);
    return value;
}

// expect: section 6 10,15 lock=node->guard scope=instance
// expect: section 9 10,15 lock=node->guard scope=instance
// expect: finding nested-lock low 9 object=node->next->guard
// expect: debug 13 held=node->guard
