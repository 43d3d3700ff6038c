// Nobody looks at the result of a try: where it failed, the release is of a lock that another has.
#include "lock.h"
typedef struct { int v; } pthread_spinlock_t;
int pthread_spin_trylock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);
struct pool { pthread_spinlock_t guard; int first; };
void hope(struct pool *pool)
{
    (void)pthread_spin_trylock(&pool->guard);
    pool->first++;
    pthread_spin_unlock(&pool->guard);
}

// expect: section 9 11 lock=pool->guard scope=instance
// expect: finding unheld-release medium 11 object=pool->guard
