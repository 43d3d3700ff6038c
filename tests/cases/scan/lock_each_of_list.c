// One lock a round, of an object that is another one in each: every round releases its own.
#include "lock.h"
struct node { slock_t guard; int n; struct node *next; };
struct list { struct node nodes[8]; int used; };
extern struct list *list;
extern int wake(int n);
void each(void)
{
    for (int i = 0; i < list->used; i++) {
        struct node *node = &list->nodes[i];
        SpinLockAcquire(&node->guard);
        int n = node->n;
        SpinLockRelease(&node->guard);
        if (n == 0)
            continue;
        __spinfault_debug_held();
        wake(n);
    }
}

// expect: section 11 13 lock=list->nodes[].guard scope=instance
// expect: debug 16 held=
// expect: none
