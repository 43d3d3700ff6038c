// A loop that tries until it has the lock, and one that gives up after some rounds.
#include "lock.h"
typedef struct { int v; } pthread_spinlock_t;
int pthread_spin_trylock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);
struct pool { pthread_spinlock_t guard; int first; };
void insist(struct pool *pool)
{
    while (pthread_spin_trylock(&pool->guard))
        ;
    __spinfault_debug_held();
    pool->first++;
    pthread_spin_unlock(&pool->guard);
}
int some_times(struct pool *pool)
{
    for (int i = 0; i < 10; i++) {
        if (pthread_spin_trylock(&pool->guard) == 0) {
            pool->first++;
            pthread_spin_unlock(&pool->guard);
            return 0;
        }
    }
    __spinfault_debug_held();
    return -1;
}

// expect: section 9 13 lock=pool->guard scope=instance
// expect: section 18 20 lock=pool->guard scope=instance
// expect: debug 11 held=pool->guard
// expect: debug 24 held=
// expect: none
