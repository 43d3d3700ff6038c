// Two objects in the order of their addresses: the same two locks on both ways.
#include "lock.h"
struct account { slock_t guard; long sum; };
void transfer(struct account *from, struct account *to, long sum)
{
    struct account *first = from < to ? from : to, *second = from < to ? to : from;
    SpinLockAcquire(&first->guard);
    SpinLockAcquire(&second->guard);
    from->sum -= sum;
    to->sum += sum;
    SpinLockRelease(&second->guard);
    SpinLockRelease(&first->guard);
    __spinfault_debug_held();
}

// expect: section 7 12 lock=to->guard scope=instance
// expect: section 8 11 lock=from->guard scope=instance
// expect: finding nested-lock low 8 object=from->guard
// expect: debug 13 held=
