// A field that is pages away from the lock word, and one that is on its page with a small chance.
#include "lock.h"
struct board { slock_t guard; char near[600]; int soon; char text[3000]; int late; char more[9000]; int far; };
extern struct board *board;
void write_far(int n)
{
    SpinLockAcquire(&board->guard);
    board->far = n;
    SpinLockRelease(&board->guard);
}
void write_late(int n)
{
    SpinLockAcquire(&board->guard);
    board->late = n;
    SpinLockRelease(&board->guard);
}
void write_soon(int n)
{
    SpinLockAcquire(&board->guard);
    board->soon = n;
    SpinLockRelease(&board->guard);
}

// expect: section 7 9 lock=board->guard scope=singleton
// expect: section 13 15 lock=board->guard scope=singleton
// expect: section 19 21 lock=board->guard scope=singleton
// expect: finding fault-under-lock medium 8 object=board->far
// expect: finding fault-under-lock low 14 object=board->late
