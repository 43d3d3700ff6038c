// The writer of a hand-written reader-writer lock swaps its share in, and takes it off again; the
// owner of another puts a pointer to itself in.
#include "lock.h"
#define WRITER 0x10000
struct pool { int count; int first; struct worker *owner; };
extern struct pool *pool;
extern struct slot { int next; char data[60]; } *slots;
void reader(void) { __atomic_add_fetch(&pool->count, 1, __ATOMIC_ACQUIRE); }
int writer(void)
{
    int none = 0;
    while (!__atomic_compare_exchange_n(&pool->count, &none, WRITER, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
        none = 0;
    int i = pool->first;
    pool->first = slots[i].next;
    __atomic_sub_fetch(&pool->count, WRITER, __ATOMIC_RELEASE);
    __spinfault_debug_held();
    return i;
}
int owner(struct worker *self)
{
    struct worker *nobody = (struct worker *)0;
    while (!__atomic_compare_exchange_n(&pool->owner, &nobody, self, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
        nobody = (struct worker *)0;
    int i = pool->first;
    pool->first = slots[i].next;
    __atomic_store_n(&pool->owner, (struct worker *)0, __ATOMIC_RELEASE);
    __spinfault_debug_held();
    return i;
}

// expect: section 12 17 lock=pool->count scope=singleton
// expect: section 24 29 lock=pool->owner scope=singleton
// expect: finding fault-under-lock high 16 object=slots[].next
// expect: debug 18 held=
// expect: finding fault-under-lock high 28 object=slots[].next
// expect: debug 30 held=
