// The lock is had when the result is 0, and that is the way that returns.
#include <pthread.h>
struct pool { pthread_spinlock_t guard; int first; };
int take(struct pool *pool)
{
    if (pthread_spin_trylock(&pool->guard) == 0) {
        if (pool->first < 0)
            return -1;
        pool->first++;
        pthread_spin_unlock(&pool->guard);
    }
    return 0;
}

// expect: section 6 10 lock=pool->guard scope=instance left-held
// expect: finding lock-leak high 8 object=pool->guard
