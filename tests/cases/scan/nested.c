// A second lock under the first; a try does not wait.
#include <pthread.h>
struct pool { pthread_spinlock_t guard; int first; };
void move(struct pool *a, struct pool *b)
{
    pthread_spin_lock(&a->guard);
    pthread_spin_lock(&b->guard);
    a->first = b->first;
    pthread_spin_unlock(&b->guard);
    pthread_spin_unlock(&a->guard);
}
void maybe(struct pool *a, struct pool *b)
{
    pthread_spin_lock(&a->guard);
    if (pthread_spin_trylock(&b->guard) == 0) {
        a->first = b->first;
        pthread_spin_unlock(&b->guard);
    }
    pthread_spin_unlock(&a->guard);
}

// expect: section 6 10 lock=a->guard scope=instance
// expect: section 7 9 lock=b->guard scope=instance
// expect: section 14 19 lock=a->guard scope=instance
// expect: section 15 17 lock=b->guard scope=instance
// expect: finding nested-lock low 7 object=b->guard
// expect: finding nested-lock low 15 object=b->guard
