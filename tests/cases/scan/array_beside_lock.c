// A short array of known size beside the lock is on its page, whatever the index.
#include "lock.h"
struct ring { slock_t guard; unsigned head; int slots[32]; int tail[4000]; };
extern struct ring *ring;
void put(int value)
{
    SpinLockAcquire(&ring->guard);
    ring->slots[ring->head++ & 31] = value;
    SpinLockRelease(&ring->guard);
}
void put_far(int value)
{
    SpinLockAcquire(&ring->guard);
    ring->tail[ring->head++ % 4000] = value;
    SpinLockRelease(&ring->guard);
}

// expect: section 7 9 lock=ring->guard scope=singleton
// expect: section 13 15 lock=ring->guard scope=singleton
// expect: finding fault-under-lock high 14 object=ring->tail[]
