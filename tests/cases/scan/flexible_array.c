// The tail of the lock's own object: its first elements are near the lock, others may be anywhere.
#include "lock.h"
struct queue { slock_t guard; int head; long items[]; };
extern struct queue *queue;
long near(void)
{
    SpinLockAcquire(&queue->guard);
    long item = queue->items[3];
    SpinLockRelease(&queue->guard);
    return item;
}
long any(void)
{
    SpinLockAcquire(&queue->guard);
    long item = queue->items[queue->head];
    SpinLockRelease(&queue->guard);
    return item;
}

// expect: section 7 9 lock=queue->guard scope=singleton
// expect: section 14 16 lock=queue->guard scope=singleton
// expect: finding fault-under-lock low 15 object=queue->items[]
