// Copies by size; together they count; a small one does not.
#include "lock.h"
#include <string.h>
struct board { slock_t guard; char title[64]; char text[600]; };
extern struct board *board;
void small(const char *title)
{
    SpinLockAcquire(&board->guard);
    memcpy(board->title, title, 64);
    SpinLockRelease(&board->guard);
}
void big(char *to)
{
    SpinLockAcquire(&board->guard);
    memcpy(to, board->text, 600);
    memcpy(to + 600, board->text, 600);
    SpinLockRelease(&board->guard);
}
void unknown(const char *text, size_t n)
{
    SpinLockAcquire(&board->guard);
    memcpy(board->text, text, n);
    SpinLockRelease(&board->guard);
}
void whole(struct board *to)
{
    SpinLockAcquire(&board->guard);
    *to = *board;
    SpinLockRelease(&board->guard);
}

// expect: section 8 10 lock=board->guard scope=singleton
// expect: section 14 17 lock=board->guard scope=singleton
// expect: section 21 23 lock=board->guard scope=singleton
// expect: section 27 29 lock=board->guard scope=singleton
// expect: finding bulk-copy medium 15 object=*to
// expect: finding bulk-copy medium 22 object=board->text
// expect: finding bulk-copy low 28 object=*to
