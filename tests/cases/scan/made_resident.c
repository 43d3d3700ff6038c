// What a model says makes memory resident is believed; by whom is up to the reader.
#include "lock.h"
#include <string.h>
struct slot { int next; char data[60]; };
struct pool { slock_t guard; int first; };
extern struct pool *pool;
int take(struct slot *slots, int n)
{
    memset(slots, 0, n * sizeof *slots);
    SpinLockAcquire(&pool->guard);
    int i = pool->first;
    pool->first = slots[i].next;
    SpinLockRelease(&pool->guard);
    return i;
}

// expect: section 10 13 lock=pool->guard scope=singleton
// expect: none
