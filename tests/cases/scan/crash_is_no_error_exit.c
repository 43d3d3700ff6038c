// A process that crashes leaves nobody who waits; one that exits or jumps does.
#include "lock.h"
#include <assert.h>
#include <stdlib.h>

struct counter {
    slock_t lock;
    int value;
};

static void complain(void)
{
    abort();
}

void checked(struct counter *c)
{
    SpinLockAcquire(&c->lock);
    assert(c->value >= 0);
    if (c->value > 100)
        complain();
    c->value++;
    SpinLockRelease(&c->lock);
}

void leaves(struct counter *c)
{
    SpinLockAcquire(&c->lock);
    if (c->value < 0)
        exit(1);
    c->value++;
    SpinLockRelease(&c->lock);
}

// expect: section 18 23 lock=c->lock scope=instance
// expect: section 28 32 lock=c->lock scope=instance
// expect: finding error-exit low 19 object=__assert_fail
// expect: finding error-exit low 21 object=complain
// expect: finding error-exit high 30 object=exit
