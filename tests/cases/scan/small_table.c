// A small static table at a run-time index is used all the time.
#include "lock.h"
struct box { slock_t guard; int value; };
extern struct box *box;
static const int weights[16] = {1, 2, 3};
int get(int i)
{
    SpinLockAcquire(&box->guard);
    int value = box->value * weights[i & 15];
    SpinLockRelease(&box->guard);
    return value;
}

// expect: section 8 10 lock=box->guard scope=singleton
// expect: none
