// A copy of many pages and one whose size nobody knows.
#include <string.h>
#include "lock.h"
struct board { slock_t guard; int n; char text[65536]; };
extern struct board *board;
void known(char *to)
{
    SpinLockAcquire(&board->guard);
    memcpy(to, board->text, sizeof board->text);
    SpinLockRelease(&board->guard);
}
void by_field(char *to)
{
    SpinLockAcquire(&board->guard);
    memcpy(to, board->text, board->n);
    SpinLockRelease(&board->guard);
}

// expect: section 8 10 lock=board->guard scope=singleton
// expect: section 14 16 lock=board->guard scope=singleton
// expect: finding bulk-copy high 9 object=*to
// expect: finding fault-under-lock medium 9 object=board->text
// expect: finding bulk-copy medium 15 object=*to
