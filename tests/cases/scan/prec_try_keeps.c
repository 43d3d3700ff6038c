// A try that succeeds is kept for who called: 0 says so, or a result that nobody here knows might say
// so. The error that forgets to release is one.
#include "lock.h"
typedef struct { int v; } pthread_spinlock_t;
int pthread_spin_trylock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);
struct store { pthread_spinlock_t guard; int transaction, entries; };
int say(const char *what);

int begin(struct store *store)
{
    if (pthread_spin_trylock(&store->guard))
        return 1;
    if (!store->transaction) {
        pthread_spin_unlock(&store->guard);
        return 1;
    }
    return 0;
}

int show(struct store *store)
{
    if (pthread_spin_trylock(&store->guard))
        return say("locked");
    if (!store->entries) {
        pthread_spin_unlock(&store->guard);
        return say("nothing");
    }
    return 0;
}

int status(struct store *store, int n)
{
    if (pthread_spin_trylock(&store->guard))
        return 1;
    if (n < 0)
        return 1;
    store->entries = n;
    pthread_spin_unlock(&store->guard);
    return 0;
}

// expect: section 12 15 lock=store->guard scope=instance left-held
// expect: section 23 26 lock=store->guard scope=instance left-held
// expect: section 34 39 lock=store->guard scope=instance left-held
// expect: finding lock-leak low 29 object=store->guard
// expect: finding lock-leak high 37 object=store->guard
