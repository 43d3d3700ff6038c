// A second lock: of another kind, a sleeping callee's, inside a loop, and by a macro.
#include "lock.h"
typedef struct { int v; } pthread_spinlock_t;
int pthread_spin_lock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);
struct pool { slock_t guard; pthread_spinlock_t stats; int first; };
extern struct pool *pool;
static void count(struct pool *some)
{
    pthread_spin_lock(&some->stats);
    some->first++;
    pthread_spin_unlock(&some->stats);
}
void other_kind(void)
{
    SpinLockAcquire(&pool->guard);
    pthread_spin_lock(&pool->stats);
    pthread_spin_unlock(&pool->stats);
    SpinLockRelease(&pool->guard);
}
void through(void)
{
    SpinLockAcquire(&pool->guard);
    count(pool);
    SpinLockRelease(&pool->guard);
}

// expect: section 10 12 lock=some->stats scope=singleton
// expect: section 16 19 lock=pool->guard scope=singleton
// expect: section 17 18 lock=pool->stats scope=singleton
// expect: section 23 25 lock=pool->guard scope=singleton
// expect: finding nested-lock medium 17 object=pool->stats
// expect: finding nested-lock medium 24 object=pool->stats
