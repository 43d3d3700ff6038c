// Both outcomes of a try, negated, compared and kept in a local.
#include <pthread.h>
#include "lock.h"
struct pool { pthread_spinlock_t guard; int first; };
int plain(struct pool *pool)
{
    if (pthread_spin_trylock(&pool->guard))
        return 0;
    __spinfault_debug_held();
    pthread_spin_unlock(&pool->guard);
    return 1;
}
int compared(struct pool *pool)
{
    int got = pthread_spin_trylock(&pool->guard);
    if (got != 0)
        return 0;
    pool->first++;
    pthread_spin_unlock(&pool->guard);
    return 1;
}
int negated(struct pool *pool)
{
    bool got = !pthread_spin_trylock(&pool->guard);
    __spinfault_debug_held();
    if (got) {
        pool->first++;
        pthread_spin_unlock(&pool->guard);
    }
    return got;
}
void until(struct pool *pool)
{
    while (pthread_spin_trylock(&pool->guard) != 0)
        ;
    pool->first++;
    pthread_spin_unlock(&pool->guard);
}

// expect: section 7 10 lock=pool->guard scope=instance
// expect: section 15 19 lock=pool->guard scope=instance
// expect: section 24 28 lock=pool->guard scope=instance
// expect: section 34 37 lock=pool->guard scope=instance
// expect: debug 9 held=pool->guard
// expect: debug 25 held=|pool->guard
// expect: none
