// Locks that sleep are no spinlocks; taking one while a spinlock is held is waiting.
#include "lock.h"
typedef struct crypto_lock CRYPTO_RWLOCK;
int CRYPTO_THREAD_write_lock(CRYPTO_RWLOCK *lock);
int CRYPTO_THREAD_unlock(CRYPTO_RWLOCK *lock);
#define lll_lock(futex, private) ((void)(private), __sync_lock_test_and_set(&(futex), 1))
struct shared {
    slock_t guard;
    int futex;
    int value;
};

void alone(CRYPTO_RWLOCK *lock, struct shared *s)
{
    CRYPTO_THREAD_write_lock(lock);
    s->value++;
    CRYPTO_THREAD_unlock(lock);
}

void under_spinlock(CRYPTO_RWLOCK *lock, struct shared *s)
{
    SpinLockAcquire(&s->guard);
    CRYPTO_THREAD_write_lock(lock);
    s->value++;
    SpinLockRelease(&s->guard);
}

void from_inside(struct shared *s)
{
    SpinLockAcquire(&s->guard);
    lll_lock(s->futex, 0);
    SpinLockRelease(&s->guard);
}

// expect: section 22 25 lock=s->guard scope=instance
// expect: section 30 32 lock=s->guard scope=instance
// expect: finding blocking high 23 object=CRYPTO_THREAD_write_lock
// expect: finding blocking high 31 object=lll_lock
