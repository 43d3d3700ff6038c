// Locks that are taken in the rounds of one loop and released in those of another: no guess.
#include "lock.h"
struct part { slock_t guard; int n; };
int total(struct part *parts, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        SpinLockAcquire(&parts[i].guard);
    for (int i = 0; i < n; i++)
        sum += parts[i].n;
    for (int i = 0; i < n; i++)
        SpinLockRelease(&parts[i].guard);
    return sum;
}

// expect: section 8 12 lock=parts[].guard scope=instance left-held
// expect: finding loop low 9 object=parts[].guard
