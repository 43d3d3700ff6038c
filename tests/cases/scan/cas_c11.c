// C11: a strong and a weak compare-and-swap, and the atomic operators.
#include <stdatomic.h>
#include "lock.h"
struct pool { atomic_int guard; int first; };
extern struct pool *pool;
extern struct slot { int next; char data[60]; } *slots;
int strong(void)
{
    int expected = 0;
    while (!atomic_compare_exchange_strong(&pool->guard, &expected, 1))
        expected = 0;
    int i = pool->first;
    pool->first = slots[i].next;
    atomic_store(&pool->guard, 0);
    return i;
}
int weak(void)
{
    int expected;
    do {
        expected = 0;
    } while (!atomic_compare_exchange_weak_explicit(&pool->guard, &expected, 1,
                                                    memory_order_acquire, memory_order_relaxed));
    int i = pool->first;
    pool->first = slots[i].next;
    pool->guard = 0;
    __spinfault_debug_held();
    return i;
}
int swap(void)
{
    while (atomic_exchange(&pool->guard, 1) == 1)
        ;
    int i = pool->first;
    pool->first = slots[i].next;
    atomic_store_explicit(&pool->guard, 0, memory_order_release);
    return i;
}

// expect: section 10 14 lock=pool->guard scope=singleton
// expect: section 22 26 lock=pool->guard scope=singleton
// expect: section 32 36 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 13 object=slots[].next
// expect: finding fault-under-lock high 25 object=slots[].next
// expect: debug 27 held=
// expect: finding fault-under-lock high 35 object=slots[].next
