// The source of a copy is touched as well: an element nobody has seen, copied out under the lock.
#include <string.h>
#include "lock.h"
struct slot { int next; char data[60]; };
extern struct pool { slock_t guard; int first; } *pool;
extern struct slot *slots;
void out(struct slot *to, int i)
{
    SpinLockAcquire(&pool->guard);
    memcpy(to, &slots[i], sizeof *to);
    SpinLockRelease(&pool->guard);
}
void assigned(struct slot *to, int i)
{
    SpinLockAcquire(&pool->guard);
    *to = slots[i];
    SpinLockRelease(&pool->guard);
}

// expect: section 9 11 lock=pool->guard scope=singleton
// expect: section 15 17 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 10 object=slots[]
// expect: finding fault-under-lock high 16 object=slots[]
