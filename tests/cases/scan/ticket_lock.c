// A ticket lock of one's own: a number is drawn, and waited for; the next one is served.
#include "lock.h"
struct ticket { unsigned next, serving; };
struct pool { struct ticket guard; int first; };
extern struct pool *pool;
extern struct slot { int next; char data[60]; } *slots;
int take(void)
{
    unsigned mine = __atomic_fetch_add(&pool->guard.next, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&pool->guard.serving, __ATOMIC_ACQUIRE) != mine)
        ;
    int i = pool->first;
    pool->first = slots[i].next;
    __atomic_store_n(&pool->guard.serving, mine + 1, __ATOMIC_RELEASE);
    __spinfault_debug_held();
    return i;
}

// expect: section 10 14 lock=pool->guard.serving scope=singleton
// expect: finding fault-under-lock high 13 object=slots[].next
// expect: debug 15 held=
