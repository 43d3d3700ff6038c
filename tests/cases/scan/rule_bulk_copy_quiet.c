// A handful of bytes, a record of some words, and the big copy after the release.
#include <string.h>
#include "lock.h"
struct point { long x, y, z; };
struct board { slock_t guard; struct point at; char tag[16]; char text[3000]; };
void few(struct board *board, const char *tag, struct point to)
{
    SpinLockAcquire(&board->guard);
    memcpy(board->tag, tag, sizeof board->tag);
    board->at = to;
    SpinLockRelease(&board->guard);
}
void after(struct board *board, char *to)
{
    SpinLockAcquire(&board->guard);
    board->tag[0] = 0;
    SpinLockRelease(&board->guard);
    memcpy(to, board->text, sizeof board->text);
}

// expect: section 8 11 lock=board->guard scope=instance
// expect: section 15 17 lock=board->guard scope=instance
// expect: none
// expect: quiet bulk-copy
