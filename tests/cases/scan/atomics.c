// Locks that nobody named, by their shape: loops on test-and-set, exchange and compare-and-swap.
#include <stdatomic.h>
struct pool { atomic_flag guard; int first; int gcc; };
extern struct pool *pool;
extern struct slot { int next; char d[60]; } *slots;
int take(void)
{
    while (atomic_flag_test_and_set(&pool->guard))
        ;
    int i = pool->first;
    pool->first = slots[i].next;
    atomic_flag_clear(&pool->guard);
    return i;
}
int take2(void)
{
    while (__sync_lock_test_and_set(&pool->gcc, 1))
        ;
    int i = pool->first;
    pool->first = slots[i].next;
    __sync_lock_release(&pool->gcc);
    return i;
}
int take3(void)
{
    while (__atomic_exchange_n(&pool->gcc, 1, __ATOMIC_ACQUIRE))
        ;
    int i = pool->first;
    pool->first = slots[i].next;
    __atomic_store_n(&pool->gcc, 0, __ATOMIC_RELEASE);
    return i;
}
static void my_lock(int *l) { while (__sync_lock_test_and_set(l, 1)) ; }
static void my_unlock(int *l) { __sync_lock_release(l); }
int take4(void)
{
    my_lock(&pool->gcc);
    int i = pool->first;
    pool->first = slots[i].next;
    my_unlock(&pool->gcc);
    return i;
}
int take5(void)
{
    int zero = 0;
    while (!__atomic_compare_exchange_n(&pool->gcc, &zero, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        zero = 0;
    int i = pool->first;
    pool->first = slots[i].next;
    __atomic_store_n(&pool->gcc, 0, __ATOMIC_RELEASE);
    return i;
}

// expect: section 8 12 lock=pool->guard._Value scope=singleton
// expect: section 17 21 lock=pool->gcc scope=singleton
// expect: section 26 30 lock=pool->gcc scope=singleton
// expect: section 37 40 lock=pool->gcc scope=singleton
// expect: section 46 50 lock=pool->gcc scope=singleton
// expect: finding fault-under-lock high 11 object=slots[].next
// expect: finding fault-under-lock high 20 object=slots[].next
// expect: finding fault-under-lock high 29 object=slots[].next
// expect: finding fault-under-lock high 39 object=slots[].next
// expect: finding fault-under-lock high 49 object=slots[].next
