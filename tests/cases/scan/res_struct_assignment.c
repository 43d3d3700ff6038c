// An assignment of a whole record is a copy like memcpy's.
#include "lock.h"
struct state { int n; char data[2000]; };
struct board { slock_t guard; struct state now; };
extern struct board *board;
void snapshot(struct state *to)
{
    SpinLockAcquire(&board->guard);
    *to = board->now;
    SpinLockRelease(&board->guard);
}
struct small { int a, b, c, d; };
struct little { slock_t guard; struct small now; };
struct small peek(struct little *little)
{
    SpinLockAcquire(&little->guard);
    struct small now = little->now;
    SpinLockRelease(&little->guard);
    return now;
}

// expect: section 8 10 lock=board->guard scope=singleton
// expect: section 16 18 lock=little->guard scope=instance
// expect: finding bulk-copy medium 9 object=*to
// expect: finding fault-under-lock low 9 object=board->now
