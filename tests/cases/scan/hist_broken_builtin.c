// A builtin is called with what nothing declares: its type has no size, and asking for one must not
// end the scan.
#include "no_such_header.h"
void SpinLockAcquire(volatile unsigned char *lock);
void SpinLockRelease(volatile unsigned char *lock);
struct counter {
    unsigned char guard;
    long value;
};

long counter_next(struct counter *c)
{
    SpinLockAcquire(&c->guard);
    if (__builtin_ffsl(missing_flags, missing_mask, c->absent) > 0)
        __builtin_prefetch(c->absent.more, (struct gone)c->value);
    long value = c->value++;
    int bytes = sizeof(c->absent) + sizeof(struct gone) + __builtin_offsetof(struct gone, field);
    SpinLockRelease(&c->guard);
    return value + bytes;
}

// expect: section 13 18 lock=c->guard scope=instance
// expect: file degraded
