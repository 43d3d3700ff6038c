// A static variable of page size that nobody has written to: small ones share pages that are in use.
#include "lock.h"
static slock_t guard;
static int hits;
static char table[1 << 20];
void count(void)
{
    SpinLockAcquire(&guard);
    hits++;
    table[70000] = 1;
    SpinLockRelease(&guard);
}

// expect: section 8 11 lock=guard scope=singleton
// expect: finding fault-under-lock low 10 object=table[70000]
