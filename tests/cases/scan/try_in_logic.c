// Tries inside && and ||: the lock is held where the whole expression says so, and nowhere else.
#include "lock.h"
typedef struct { int v; } pthread_spinlock_t;
int pthread_spin_trylock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);
struct pool { pthread_spinlock_t guard; int first, used; };
void conjunction(struct pool *pool, int wanted)
{
    if (wanted && pthread_spin_trylock(&pool->guard) == 0) {
        __spinfault_debug_held();
        pool->first++;
        pthread_spin_unlock(&pool->guard);
    }
    __spinfault_debug_held();
}
void disjunction(struct pool *pool, int closed)
{
    if (closed || pthread_spin_trylock(&pool->guard) != 0)
        return;
    pool->first++;
    pthread_spin_unlock(&pool->guard);
}
int both(struct pool *a, struct pool *b)
{
    if (!pthread_spin_trylock(&a->guard) && !pthread_spin_trylock(&b->guard)) {
        __spinfault_debug_held();
        pthread_spin_unlock(&b->guard);
        pthread_spin_unlock(&a->guard);
        return 1;
    }
    return 0;
}

// expect: section 9 12 lock=pool->guard scope=instance
// expect: section 18 21 lock=pool->guard scope=instance
// expect: section 25 28 lock=a->guard scope=instance left-held
// expect: section 25 27 lock=b->guard scope=instance
// expect: debug 10 held=pool->guard
// expect: debug 14 held=
// expect: finding nested-lock low 25 object=b->guard
// expect: debug 26 held=a->guard,b->guard
// expect: finding lock-leak high 31 object=a->guard
