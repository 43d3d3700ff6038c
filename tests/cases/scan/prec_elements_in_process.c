// Threads of one process: what is read from an element somebody wrote, so its page is mapped. The
// write may be the first one. The same in shared memory is another matter.
#include "lock.h"
typedef unsigned HA_SPINLOCK_T;
#define HA_SPIN_LOCK(lbl, l)   __spin_lock(lbl, l)
#define HA_SPIN_UNLOCK(lbl, l) __spin_unlock(lbl, l)
void __spin_lock(int label, volatile unsigned *lock);
void __spin_unlock(int label, volatile unsigned *lock);
struct slot { int used; char data[124]; };
extern struct slot *slots;
static HA_SPINLOCK_T lock;
static slock_t shared;
int get(int i)
{
    HA_SPIN_LOCK(0, &lock);
    int used = slots[i].used;
    HA_SPIN_UNLOCK(0, &lock);
    return used;
}
void put(int i)
{
    HA_SPIN_LOCK(0, &lock);
    slots[i].used = 1;
    HA_SPIN_UNLOCK(0, &lock);
}
int get_shared(int i)
{
    SpinLockAcquire(&shared);
    int used = slots[i].used;
    SpinLockRelease(&shared);
    return used;
}

// expect: section 15 17 lock=lock scope=singleton
// expect: section 22 24 lock=lock scope=singleton
// expect: section 28 30 lock=shared scope=singleton
// expect: finding fault-under-lock low 23 object=slots[].used
// expect: finding fault-under-lock high 29 object=slots[].used
