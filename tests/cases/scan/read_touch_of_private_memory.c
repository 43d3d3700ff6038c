// A read touch does not make private memory writable; a write touch does.
#include "lock.h"
#include <stdlib.h>
struct queue { slock_t guard; int n; };
extern struct queue *queue;
void read_first(void)
{
    int *item = malloc(8192);
    if (!item || *item == 3)
        return;
    SpinLockAcquire(&queue->guard);
    *item = queue->n;
    SpinLockRelease(&queue->guard);
}
void write_first(void)
{
    int *item = malloc(8192);
    if (!item)
        return;
    *item = 0;
    SpinLockAcquire(&queue->guard);
    *item = queue->n;
    SpinLockRelease(&queue->guard);
}

// expect: section 11 13 lock=queue->guard scope=singleton
// expect: section 21 23 lock=queue->guard scope=singleton
// expect: finding fault-under-lock high 12 object=*item
