// A wrapper of memcpy copies as much as its caller says.
#include "lock.h"
void *memcpy(void *to, const void *from, unsigned long n);
struct board { slock_t guard; char title[64], text[2048]; };

static void copy(void *to, const void *from, unsigned long n) { memcpy(to, from, n); }
static void copy_twice_removed(char *to, const char *from, unsigned long n) { copy(to, from, n); }

void quiet(struct board *board, const char *text)
{
    SpinLockAcquire(&board->guard);
    copy(board->title, text, sizeof board->title);
    copy_twice_removed(board->title, text, 16);
    SpinLockRelease(&board->guard);
}

void known(struct board *board, const char *text)
{
    SpinLockAcquire(&board->guard);
    copy_twice_removed(board->text, text, sizeof board->text);
    SpinLockRelease(&board->guard);
}

void unknown(struct board *board, const char *text, unsigned long n)
{
    SpinLockAcquire(&board->guard);
    copy(board->text, text, n);
    SpinLockRelease(&board->guard);
}

// expect: section 11 14 lock=board->guard scope=instance
// expect: section 19 21 lock=board->guard scope=instance
// expect: section 26 28 lock=board->guard scope=instance
// expect: finding bulk-copy medium 20 object=board->text
// expect: finding bulk-copy medium 27 object=board->text
