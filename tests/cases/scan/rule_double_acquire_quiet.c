// Not the same lock: of two objects, of two elements; a try of one's own; retaken after a release.
#include "lock.h"
typedef struct { int v; } pthread_spinlock_t;
int pthread_spin_lock(pthread_spinlock_t *lock);
int pthread_spin_trylock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);
struct pool { slock_t guard; pthread_spinlock_t other; int first; };
void again(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pool->first++;
    SpinLockRelease(&pool->guard);
    SpinLockAcquire(&pool->guard);
    pool->first--;
    SpinLockRelease(&pool->guard);
}
void two(struct pool *pools, int i, int k)
{
    SpinLockAcquire(&pools[i].guard);
    SpinLockAcquire(&pools[k].guard);
    pools[i].first = pools[k].first;
    SpinLockRelease(&pools[k].guard);
    SpinLockRelease(&pools[i].guard);
}
void try_mine(struct pool *pool)
{
    pthread_spin_lock(&pool->other);
    if (pthread_spin_trylock(&pool->other) == 0)
        pthread_spin_unlock(&pool->other);
    pthread_spin_unlock(&pool->other);
}

// expect: section 10 12 lock=pool->guard scope=instance
// expect: section 13 15 lock=pool->guard scope=instance
// expect: section 19 23 lock=pools[].guard scope=instance
// expect: section 20 22 lock=pools[].guard scope=instance
// expect: section 27 30 lock=pool->other scope=instance
// expect: finding nested-lock low 20 object=pools[].guard
// expect: quiet double-acquire
