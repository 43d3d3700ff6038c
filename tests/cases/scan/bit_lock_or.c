// A bit of a word is the lock: taken by fetch-or until it was clear, let go by fetch-and.
#include "lock.h"
#define LOCKED 1u
struct pool { unsigned state; int first; };
extern struct pool *pool;
extern struct slot { int next; char data[60]; } *slots;
int take(void)
{
    while (__atomic_fetch_or(&pool->state, LOCKED, __ATOMIC_ACQUIRE) & LOCKED)
        ;
    int i = pool->first;
    pool->first = slots[i].next;
    __atomic_fetch_and(&pool->state, ~LOCKED, __ATOMIC_RELEASE);
    __spinfault_debug_held();
    return i;
}

// expect: section 9 13 lock=pool->state scope=singleton
// expect: finding fault-under-lock high 12 object=slots[].next
// expect: debug 14 held=
