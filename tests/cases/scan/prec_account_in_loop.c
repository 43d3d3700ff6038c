// `locked` says that the lock is held when it is taken again, past a condition on memory: who wrote it
// knows more. Without such a variable it is taken twice.
#include "lock.h"
struct set { slock_t lock; int step, status; void *requester; };
int prepare(struct set *set);
int resolve(struct set *set)
{
    int locked = 0;
again:
    if (set->requester) {
        if (!locked) {
            SpinLockAcquire(&set->lock);
            locked = 1;
        }
        goto end;
    }
    if (prepare(set) < 0)
        goto end;
    SpinLockAcquire(&set->lock);
    locked = 1;
    if (set->status == 2)
        goto again;
end:
    if (locked)
        SpinLockRelease(&set->lock);
    return 0;
}
int twice(struct set *set)
{
again:
    if (prepare(set) < 0)
        return -1;
    SpinLockAcquire(&set->lock);
    if (set->status == 2)
        goto again;
    SpinLockRelease(&set->lock);
    return 0;
}

// expect: section 12 25 lock=set->lock scope=instance
// expect: section 19 25 lock=set->lock scope=instance
// expect: section 33 36 lock=set->lock scope=instance left-held
// expect: finding unknown-call low 17 object=prepare
// expect: finding double-acquire low 19 object=set->lock
// expect: finding unknown-call low 31 object=prepare
// expect: finding lock-leak high 32 object=set->lock
// expect: finding double-acquire high 33 object=set->lock
