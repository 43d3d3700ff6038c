// The same as a do-while, and as an endless loop that is left by break.
#include "lock.h"
struct pool { int guard; int first; };
extern struct pool *pool;
extern struct slot { int next; char data[60]; } *slots;
int by_do(void)
{
    int old;
    do {
        old = __atomic_exchange_n(&pool->guard, 1, __ATOMIC_ACQUIRE);
    } while (old);
    int i = pool->first;
    pool->first = slots[i].next;
    __atomic_store_n(&pool->guard, 0, __ATOMIC_RELEASE);
    return i;
}
int by_break(void)
{
    for (;;) {
        if (!__atomic_exchange_n(&pool->guard, 1, __ATOMIC_ACQUIRE))
            break;
        __builtin_ia32_pause();
    }
    int i = pool->first;
    pool->first = slots[i].next;
    __atomic_store_n(&pool->guard, 0, __ATOMIC_RELEASE);
    __spinfault_debug_held();
    return i;
}

// expect: section 10 14 lock=pool->guard scope=singleton
// expect: section 20 26 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 13 object=slots[].next
// expect: finding fault-under-lock high 25 object=slots[].next
// expect: debug 27 held=
