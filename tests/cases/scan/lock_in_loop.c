// One lock a round.
#include "lock.h"
struct part { slock_t guard; int n; };
int total(struct part *parts, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        struct part *part = &parts[i];
        if (part->n == 0)
            continue;
        SpinLockAcquire(&part->guard);
        sum += part->n;
        SpinLockRelease(&part->guard);
    }
    return sum;
}

// expect: section 11 13 lock=parts[].guard scope=instance
// expect: none
