// Whether there are locks is asked for each of them and again where a callee releases them.
#include "lock.h"
struct peer { slock_t lock; int conns; };
struct peers { slock_t lock; void *shared; int single; };
struct data { struct peers *peers; struct peer *current; };

static void put_locked(struct data *d)
{
    d->current->conns--;
    if (d->peers->shared)
        SpinLockRelease(&d->current->lock);
    if (d->peers->shared)
        SpinLockRelease(&d->peers->lock);
}

void put(void *data)
{
    struct data *d = data;
    if (d->peers->shared)
        SpinLockAcquire(&d->peers->lock);
    if (d->peers->shared)
        SpinLockAcquire(&d->current->lock);
    put_locked(data);
}

void put_some(struct data *d, int state)
{
    if (d->peers->shared)
        SpinLockAcquire(&d->peers->lock);
    if (state)
        return;
    if (d->peers->shared)
        SpinLockRelease(&d->peers->lock);
}

// expect: section 7 11 lock=d->current->lock scope=instance entered-held left-held
// expect: section 7 13 lock=d->peers->lock scope=instance entered-held left-held
// expect: section 20 23 lock=data->peers->lock scope=instance
// expect: section 22 23 lock=data->current->lock scope=instance
// expect: section 29 33 lock=d->peers->lock scope=instance left-held
// expect: finding nested-lock low 22 object=data->current->lock
// expect: finding lock-leak high 31 object=d->peers->lock
