// A header is missing, and with it what decides #if: the lock is taken in one switched-off part of
// the function and let go in two others.
#include "board_config.h"
#include "lock.h"

static slock_t box_lock;
static unsigned box_words[4];

static int box_put(unsigned at, unsigned word)
{
#if BOARD_SHARED
    SpinLockAcquire(&box_lock);
#endif
    if (at > 3)
        goto full;
    box_words[at] = word;
#if BOARD_SHARED
    SpinLockRelease(&box_lock);
#endif
    return 0;
full:
    report_to(BOARD_CONSOLE, at);
#if BOARD_SHARED
    SpinLockRelease(&box_lock);
#endif
    return -1;
}

int box_put_two(unsigned at, unsigned word)
{
    int status = box_put(at, word);
    return status ? status : box_put(at + 1, ~word);
}

// expect: file degraded
// expect: section 12 18,24 lock=box_lock scope=singleton
// expect: finding unknown-call low 22 object=report_to
