// A static object that holds the lock and more than a page: what is far from the lock may fault.
#include "lock.h"
static struct { slock_t guard; int near; char middle[8192]; int far; } board;
void near(void)
{
    SpinLockAcquire(&board.guard);
    board.near++;
    SpinLockRelease(&board.guard);
}
void far(void)
{
    SpinLockAcquire(&board.guard);
    board.far++;
    SpinLockRelease(&board.guard);
}

// expect: section 6 8 lock=board.guard scope=singleton
// expect: section 12 14 lock=board.guard scope=singleton
// expect: finding fault-under-lock medium 13 object=board.far
