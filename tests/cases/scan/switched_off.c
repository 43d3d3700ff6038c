// A function that this configuration does not compile is read all the same, and what is found there
// is low: nobody runs it here.
#include "lock.h"
#include <stdio.h>
static slock_t guard;
void compiled(void)
{
    SpinLockAcquire(&guard);
    fflush(stdout);
    SpinLockRelease(&guard);
}
#ifdef SELF_TEST
void left_out(void)
{
    SpinLockAcquire(&guard);
    fflush(stdout);
    SpinLockRelease(&guard);
}
#endif

// expect: section 8 10 lock=guard scope=singleton
// expect: section 15 17 lock=guard scope=singleton
// expect: finding blocking high 9 object=fflush
// expect: finding blocking low 16 object=fflush
