// A wrapper that says whether it has the lock.
#include <pthread.h>
#include "lock.h"
struct pool { pthread_spinlock_t guard; int first; };
static bool pool_try(struct pool *pool)
{
    if (pthread_spin_trylock(&pool->guard) != 0)
        return false;
    pool->first++;
    return true;
}
void use(struct pool *pool)
{
    if (!pool_try(pool))
        return;
    __spinfault_debug_held();
    pthread_spin_unlock(&pool->guard);
}

// expect: section 7 - lock=pool->guard scope=instance left-held
// expect: section 14 17 lock=pool->guard scope=instance
// expect: debug 16 held=pool->guard
// expect: none
