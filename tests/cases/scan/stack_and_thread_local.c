// The stack and thread-locals are resident.
#include "lock.h"
struct box { slock_t guard; int value; };
extern struct box *box;
static _Thread_local int calls;
int get(void)
{
    int copy[64];
    SpinLockAcquire(&box->guard);
    copy[box->value & 63] = box->value;
    calls++;
    __spinfault_debug_residency(&copy[1]);
    __spinfault_debug_residency(&calls);
    SpinLockRelease(&box->guard);
    return copy[3];
}

// expect: section 9 14 lock=box->guard scope=singleton
// expect: debug 12 residency=stack
// expect: debug 13 residency=stack
// expect: none
