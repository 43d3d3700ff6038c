// Fields beside the lock word are on its page.
#include "lock.h"
struct counter { slock_t guard; long hits, misses; int last[20]; };
extern struct counter *counter;
void count(int hit)
{
    SpinLockAcquire(&counter->guard);
    if (hit)
        counter->hits++;
    else
        counter->misses++;
    counter->last[3] = hit;
    SpinLockRelease(&counter->guard);
}

// expect: section 7 13 lock=counter->guard scope=singleton
// expect: none
