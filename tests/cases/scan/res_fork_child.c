// Page tables are per process: what the parent touched is unmapped again in the child.
#include <unistd.h>
#include "lock.h"
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first; };
extern struct pool *pool;
extern struct slot *slots;
int child(int i)
{
    slots[i].next = 0;
    if (fork() == 0) {
        SpinLockAcquire(&pool->guard);
        pool->first = slots[i].next;
        SpinLockRelease(&pool->guard);
        _exit(0);
    }
    SpinLockAcquire(&pool->guard);
    pool->first = slots[i].next;
    SpinLockRelease(&pool->guard);
    return 0;
}

// expect: section 12 14 lock=pool->guard scope=singleton
// expect: section 17 19 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 13 object=slots[].next
