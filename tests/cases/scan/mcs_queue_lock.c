// A queue lock: whoever comes waits at its own node. No words are known for it, so nothing is said.
#include "lock.h"
struct waiter { struct waiter *next; int locked; };
struct queue { struct waiter *tail; int first; };
void enter(struct queue *queue, struct waiter *me)
{
    me->next = (void *)0;
    me->locked = 1;
    struct waiter *before = __atomic_exchange_n(&queue->tail, me, __ATOMIC_ACQ_REL);
    if (before) {
        __atomic_store_n(&before->next, me, __ATOMIC_RELEASE);
        while (__atomic_load_n(&me->locked, __ATOMIC_ACQUIRE))
            ;
    }
}

// expect: none
