// A callee lets go of the lock on some of its ways, and on the others of the object: that is not to be
// seen from here. What is forgotten after the callee is.
#include "lock.h"
struct peer { slock_t lock; int refs, conns; };
static int drop(struct peer *peer) { return --peer->refs; }
static void put_locked(struct peer *peer)
{
    peer->conns--;
    if (drop(peer))
        SpinLockRelease(&peer->lock);
}
void put(struct peer *peer)
{
    SpinLockAcquire(&peer->lock);
    put_locked(peer);
}
void put_if(struct peer *peer, int n)
{
    SpinLockAcquire(&peer->lock);
    if (n)
        return;
    SpinLockRelease(&peer->lock);
}

// expect: section 6 10 lock=peer->lock scope=instance entered-held left-held
// expect: section 14 15 lock=peer->lock scope=instance left-held
// expect: section 19 22 lock=peer->lock scope=instance left-held
// expect: finding lock-leak medium 16 object=peer->lock
// expect: finding lock-leak high 21 object=peer->lock
