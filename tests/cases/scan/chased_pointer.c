// A pointer that is read under the lock and followed.
#include "lock.h"
struct owner { int id; char name[40]; };
struct door { slock_t guard; struct owner *owner; };
extern struct door *door;
int who(void)
{
    SpinLockAcquire(&door->guard);
    int id = door->owner->id;
    SpinLockRelease(&door->guard);
    return id;
}

// expect: section 8 10 lock=door->guard scope=singleton
// expect: finding fault-under-lock high 9 object=door->owner->id
