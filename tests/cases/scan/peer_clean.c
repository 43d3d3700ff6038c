// What cried wolf elsewhere: released before a break, a try that sleeps when it failed, a flag, one
// label for all, a guard that releases on every way out.
#include <unistd.h>
#include "lock.h"
typedef struct { int v; } pthread_spinlock_t;
int pthread_spin_trylock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);
struct pool { slock_t guard; pthread_spinlock_t other; int first; };
static void drop(slock_t **lock) { SpinLockRelease(*lock); }
void until_ready(struct pool *pool)
{
    for (;;) {
        SpinLockAcquire(&pool->guard);
        if (pool->first) {
            SpinLockRelease(&pool->guard);
            break;
        }
        SpinLockRelease(&pool->guard);
        usleep(10);
    }
}
void try_or_sleep(struct pool *pool)
{
    while (pthread_spin_trylock(&pool->other))
        usleep(10);
    pool->first++;
    pthread_spin_unlock(&pool->other);
}
void by_flag(struct pool *pool, bool shared)
{
    if (shared)
        SpinLockAcquire(&pool->guard);
    pool->first++;
    if (shared)
        SpinLockRelease(&pool->guard);
}
int one_label(struct pool *pool, int n)
{
    int result = -1;
    SpinLockAcquire(&pool->guard);
    if (n < 0)
        goto out;
    if (pool->first == n)
        goto out;
    pool->first = n;
    result = 0;
out:
    SpinLockRelease(&pool->guard);
    return result;
}
int guarded(struct pool *pool, int n)
{
    slock_t *held __attribute__((cleanup(drop))) = &pool->guard;
    SpinLockAcquire(held);
    if (n < 0)
        return -1;
    pool->first = n;
    return 0;
}

// expect: section 13 15,18 lock=pool->guard scope=instance
// expect: section 24 27 lock=pool->other scope=instance
// expect: section 32 35 lock=pool->guard scope=instance
// expect: section 40 48 lock=pool->guard scope=instance
// expect: section 54 56,58 lock=pool->guard scope=instance
// expect: none
