// Sleeping between two sections, and a mutex that only looks: trylock does not sleep.
#include <pthread.h>
#include <unistd.h>
#include "lock.h"
struct pool { slock_t guard; pthread_mutex_t big; int first; };
int wait_for(struct pool *pool)
{
    for (;;) {
        SpinLockAcquire(&pool->guard);
        int first = pool->first;
        SpinLockRelease(&pool->guard);
        if (first)
            return first;
        usleep(100);
    }
}
void under_mutex(struct pool *pool)
{
    pthread_mutex_lock(&pool->big);
    SpinLockAcquire(&pool->guard);
    pool->first++;
    SpinLockRelease(&pool->guard);
    pthread_mutex_unlock(&pool->big);
}

// expect: section 9 11 lock=pool->guard scope=instance
// expect: section 20 22 lock=pool->guard scope=instance
// expect: none
// expect: quiet blocking
