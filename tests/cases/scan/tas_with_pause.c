// Test, test-and-set, pause: the three lines everybody writes, and a plain store that lets go.
#include "lock.h"
struct pool { volatile int guard; int first; };
extern struct pool *pool;
extern struct slot { int next; char data[60]; } *slots;
int take(void)
{
    while (__sync_lock_test_and_set(&pool->guard, 1)) {
        while (pool->guard)
            __builtin_ia32_pause();
    }
    int i = pool->first;
    pool->first = slots[i].next;
    __sync_synchronize();
    pool->guard = 0;
    __spinfault_debug_held();
    return i;
}

// expect: section 8 15 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 13 object=slots[].next
// expect: debug 16 held=
