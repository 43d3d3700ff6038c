// _Generic picks the function: the lock operation behind it is seen.
#include "lock.h"
typedef struct { int v; } pthread_spinlock_t;
int pthread_spin_lock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);
#define lock_any(l)                                                                                \
    _Generic((l), pthread_spinlock_t *: pthread_spin_lock, slock_t *: SpinLockAcquire)(l)
#define unlock_any(l)                                                                              \
    _Generic((l), pthread_spinlock_t *: pthread_spin_unlock, slock_t *: SpinLockRelease)(l)
struct pool { slock_t guard; pthread_spinlock_t other; int first; };
void set(struct pool *pool, int n)
{
    lock_any(&pool->guard);
    pool->first = n;
    unlock_any(&pool->guard);
    lock_any(&pool->other);
    __spinfault_debug_held();
    unlock_any(&pool->other);
    __spinfault_debug_held();
}

// expect: section 13 15 lock=pool->guard scope=instance
// expect: section 16 18 lock=pool->other scope=instance
// expect: debug 17 held=pool->other
// expect: debug 19 held=
// expect: none
