// Two locks in any order of release: both are held, so none is the wrong one.
#include "lock.h"
struct table { slock_t read_lock, write_lock; int marks; };
void crossed(struct table *t)
{
    SpinLockAcquire(&t->read_lock);
    SpinLockAcquire(&t->write_lock);
    t->marks++;
    SpinLockRelease(&t->read_lock);
    SpinLockRelease(&t->write_lock);
}
void hand_over(struct table *t)
{
    SpinLockAcquire(&t->read_lock);
    SpinLockAcquire(&t->write_lock);
    SpinLockRelease(&t->read_lock);
    t->marks++;
    SpinLockRelease(&t->write_lock);
}

// expect: section 6 9 lock=t->read_lock scope=instance
// expect: section 7 10 lock=t->write_lock scope=instance
// expect: section 14 16 lock=t->read_lock scope=instance
// expect: section 15 18 lock=t->write_lock scope=instance
// expect: finding nested-lock low 7 object=t->write_lock
// expect: finding nested-lock low 15 object=t->write_lock
// expect: quiet wrong-lock-released
