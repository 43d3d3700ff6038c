// mlockall maps what there is, or what there will be as well; a child of fork has none of it.
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "lock.h"
struct slot { int next; char data[60]; };
extern struct pool { slock_t guard; int first; } *pool;
extern struct slot *slots;
int all(int i)
{
    mlockall(MCL_CURRENT | MCL_FUTURE);
    struct slot *own = malloc(sizeof *own);
    SpinLockAcquire(&pool->guard);
    pool->first = slots[i].next;
    own->next = i;
    SpinLockRelease(&pool->guard);
    return 0;
}
int what_there_is(int i)
{
    mlockall(MCL_CURRENT);
    struct slot *own = malloc(sizeof *own);
    SpinLockAcquire(&pool->guard);
    pool->first = slots[i].next;
    own->next = i;
    SpinLockRelease(&pool->guard);
    return 0;
}
int child(int i)
{
    mlockall(MCL_CURRENT | MCL_FUTURE);
    if (fork() == 0) {
        SpinLockAcquire(&pool->guard);
        pool->first = slots[i].next;
        SpinLockRelease(&pool->guard);
        _exit(0);
    }
    return 0;
}

// expect: section 13 16 lock=pool->guard scope=singleton
// expect: section 23 26 lock=pool->guard scope=singleton
// expect: section 33 35 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 25 object=own->next
// expect: finding fault-under-lock high 34 object=slots[].next
