// Memory that was just allocated is not mapped; memory that was written to is.
#include "lock.h"
#include <stdlib.h>
#include <string.h>
struct item { int value; struct item *next; };
struct queue { slock_t guard; struct item *tail; };
extern struct queue *queue;
void append(int value)
{
    struct item *item = malloc(sizeof *item);
    if (!item)
        return;
    SpinLockAcquire(&queue->guard);
    item->value = value;
    queue->tail = item;
    SpinLockRelease(&queue->guard);
}
void append_warm(int value)
{
    struct item *item = malloc(sizeof *item);
    if (!item)
        return;
    memset(item, 0, sizeof *item);
    SpinLockAcquire(&queue->guard);
    item->value = value;
    queue->tail = item;
    SpinLockRelease(&queue->guard);
}

// expect: section 13 16 lock=queue->guard scope=singleton
// expect: section 24 27 lock=queue->guard scope=singleton
// expect: finding fault-under-lock high 14 object=item->value
