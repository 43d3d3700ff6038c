// A compare-and-swap that puts the owner's number in, and a store of "nobody" that lets go.
#include "lock.h"
struct pool { unsigned owner; int first; };
extern struct pool *pool;
extern struct slot { int next; char data[60]; } *slots;
int take(unsigned self)
{
    unsigned nobody = 0;
    while (!__atomic_compare_exchange_n(&pool->owner, &nobody, self, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
        nobody = 0;
    int i = pool->first;
    pool->first = slots[i].next;
    __atomic_store_n(&pool->owner, 0, __ATOMIC_RELEASE);
    __spinfault_debug_held();
    return i;
}
int take_sync(int self)
{
    while (__sync_val_compare_and_swap(&pool->owner, 0, self) != 0)
        ;
    int i = pool->first;
    pool->first = slots[i].next;
    __sync_lock_release(&pool->owner);
    return i;
}
int take_bool(void)
{
    while (!__sync_bool_compare_and_swap(&pool->owner, 0, 1))
        ;
    int i = pool->first;
    pool->first = slots[i].next;
    __sync_lock_release(&pool->owner);
    return i;
}

// expect: section 9 14 lock=pool->owner scope=singleton
// expect: section 20 24 lock=pool->owner scope=singleton
// expect: section 29 33 lock=pool->owner scope=singleton
// expect: finding fault-under-lock high 13 object=slots[].next
// expect: debug 15 held=
// expect: finding fault-under-lock high 23 object=slots[].next
// expect: finding fault-under-lock high 32 object=slots[].next
