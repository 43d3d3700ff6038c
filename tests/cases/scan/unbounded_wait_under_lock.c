// Waiting for somebody else under a lock: a second spinlock of one's own, a flag, a counter.
#include "lock.h"
struct pool { slock_t guard; volatile int ready; int word, first; };
extern struct pool *pool;
void for_word(void)
{
    SpinLockAcquire(&pool->guard);
    while (__sync_lock_test_and_set(&pool->word, 1))
        ;
    pool->first++;
    __sync_lock_release(&pool->word);
    SpinLockRelease(&pool->guard);
}
void for_flag(void)
{
    SpinLockAcquire(&pool->guard);
    while (!__atomic_load_n(&pool->ready, __ATOMIC_ACQUIRE))
        ;
    SpinLockRelease(&pool->guard);
}

// expect: section 7 12 lock=pool->guard scope=singleton
// expect: section 8 11 lock=pool->word scope=singleton
// expect: section 16 19 lock=pool->guard scope=singleton
// expect: finding nested-lock medium 8 object=pool->word
// expect: finding loop medium 17 object=pool->guard
