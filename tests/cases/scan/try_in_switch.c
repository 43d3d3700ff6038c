// The result of a try decides in a switch, and in a conditional operator.
#include "lock.h"
typedef struct { int v; } pthread_spinlock_t;
int pthread_spin_trylock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);
struct pool { pthread_spinlock_t guard; int first; };
int by_switch(struct pool *pool)
{
    switch (pthread_spin_trylock(&pool->guard)) {
    case 0:
        __spinfault_debug_held();
        pool->first++;
        pthread_spin_unlock(&pool->guard);
        return 0;
    default:
        __spinfault_debug_held();
        return -1;
    }
}
int by_choice(struct pool *pool)
{
    int got = pthread_spin_trylock(&pool->guard) ? 0 : 1;
    if (got) {
        pool->first++;
        pthread_spin_unlock(&pool->guard);
    }
    return got;
}

// expect: section 9 13 lock=pool->guard scope=instance
// expect: section 22 25 lock=pool->guard scope=instance
// expect: debug 11 held=pool->guard
// expect: debug 16 held=
// expect: none
