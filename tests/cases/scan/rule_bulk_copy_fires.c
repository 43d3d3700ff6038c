// Many bytes at once: set, moved, compared up to an end nobody knows, printed into a buffer.
#include <string.h>
#include "lock.h"
struct board { slock_t guard; char text[3000]; };
extern struct board *board;
void clear(void)
{
    SpinLockAcquire(&board->guard);
    memset(board->text, 0, sizeof board->text);
    SpinLockRelease(&board->guard);
}
void shift(int n)
{
    SpinLockAcquire(&board->guard);
    memmove(board->text, board->text + 1, 2048);
    SpinLockRelease(&board->guard);
}
void name(const char *text)
{
    SpinLockAcquire(&board->guard);
    strcpy(board->text, text);
    SpinLockRelease(&board->guard);
}

// expect: section 8 10 lock=board->guard scope=singleton
// expect: section 14 16 lock=board->guard scope=singleton
// expect: section 20 22 lock=board->guard scope=singleton
// expect: finding bulk-copy medium 9 object=board->text
// expect: finding fault-under-lock low 9 object=board->text
// expect: finding bulk-copy medium 15 object=board->text
// expect: finding fault-under-lock low 15 object=board->text[1]
// expect: finding bulk-copy medium 21 object=board->text
