// Let go of and taken again around something slow, with an early way out.
#include <unistd.h>
#include "lock.h"
struct queue { slock_t guard; int items[16], head, tail; bool closed; };
int get(struct queue *queue)
{
    SpinLockAcquire(&queue->guard);
    while (queue->head == queue->tail) {
        if (queue->closed) {
            SpinLockRelease(&queue->guard);
            return -1;
        }
        SpinLockRelease(&queue->guard);
        usleep(50);
        SpinLockAcquire(&queue->guard);
    }
    int item = queue->items[queue->head++ % 16];
    SpinLockRelease(&queue->guard);
    __spinfault_debug_held();
    return item;
}

// expect: section 7 10,13,18 lock=queue->guard scope=instance
// expect: section 15 10,13,18 lock=queue->guard scope=instance
// expect: debug 19 held=
// expect: none
