// The caller says whether the object that is found is to be locked.
#include "lock.h"
struct peer { slock_t lock; struct peer *next; int id, down; };
struct peers { struct peer *first; void *shared; };

struct peer *find(struct peers *peers, int id, int lock)
{
    struct peer *peer = peers->first;
    while (peer && peer->id != id)
        peer = peer->next;
    if (!peer)
        return NULL;
    if (lock) {
        if (peers->shared)
            SpinLockAcquire(&peer->lock);
    }
    if (peer->down) {
        if (lock) {
            if (peers->shared)
                SpinLockRelease(&peer->lock);
        }
        return NULL;
    }
    return peer;
}

int conns(struct peers *peers, struct peer *peer, int lock)
{
    if (lock)
        SpinLockAcquire(&peer->lock);
    if (peer->down)
        return -1;
    if (lock)
        SpinLockRelease(&peer->lock);
    return peers->first == peer;
}

// expect: section 15 20 lock=peer->lock scope=instance left-held
// expect: section 30 34 lock=peer->lock scope=instance left-held
// expect: finding lock-leak high 32 object=peer->lock
