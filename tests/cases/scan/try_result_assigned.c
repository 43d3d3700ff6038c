// The result of a try is assigned in the condition, compared later, or tested through its negation.
#include "lock.h"
typedef struct { int v; } pthread_spinlock_t;
int pthread_spin_trylock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);
struct pool { pthread_spinlock_t guard; int first; };
int in_condition(struct pool *pool)
{
    int error;
    if ((error = pthread_spin_trylock(&pool->guard)) != 0)
        return error;
    pool->first++;
    pthread_spin_unlock(&pool->guard);
    return 0;
}
void later(struct pool *pool, int n)
{
    int error = pthread_spin_trylock(&pool->guard);
    n = n * 2 + 1;
    if (error == 0)
        pool->first = n;
    if (!error)
        pthread_spin_unlock(&pool->guard);
    __spinfault_debug_held();
}
void twice_negated(struct pool *pool)
{
    bool busy = !!pthread_spin_trylock(&pool->guard);
    if (!busy)
        pthread_spin_unlock(&pool->guard);
    __spinfault_debug_held();
}

// expect: section 10 13 lock=pool->guard scope=instance
// expect: section 18 23 lock=pool->guard scope=instance
// expect: section 28 30 lock=pool->guard scope=instance
// expect: debug 24 held=
// expect: debug 31 held=
// expect: none
