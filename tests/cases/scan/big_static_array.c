// A big static array at a run-time index; its size is known.
#include "lock.h"
static slock_t guard;
static struct { int next, data[15]; } slots[1 << 16];
static int first;
int take(void)
{
    SpinLockAcquire(&guard);
    int i = first;
    first = slots[i].next;
    SpinLockRelease(&guard);
    return i;
}

// expect: section 8 11 lock=guard scope=singleton
// expect: finding fault-under-lock high 10 object=slots[].next
