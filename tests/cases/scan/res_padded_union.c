// Locks padded to a cache line, an array of them: the lock's neighbours in its line are on its page.
#include "lock.h"
typedef union { struct { slock_t guard; int first, used; } lock; char pad[128]; } padded;
extern padded *locks;
int use(int i)
{
    SpinLockAcquire(&locks[i].lock.guard);
    int first = locks[i].lock.first++;
    __spinfault_debug_residency(&locks[i].lock.used);
    SpinLockRelease(&locks[i].lock.guard);
    return first;
}
void other(int i, int k)
{
    SpinLockAcquire(&locks[i].lock.guard);
    locks[k].lock.first = 0;
    SpinLockRelease(&locks[i].lock.guard);
}

// expect: section 7 10 lock=locks[].lock.guard scope=instance
// expect: section 15 17 lock=locks[].lock.guard scope=instance
// expect: debug 9 residency=same-page
// expect: finding fault-under-lock medium 16 object=locks[].lock.first
