// The other element, the other object, the other field.
#include "lock.h"
struct table { slock_t guard; int marks; };
struct tables { struct table from, to; };
void other_field(struct tables *both)
{
    SpinLockAcquire(&both->from.guard);
    both->from.marks--;
    SpinLockRelease(&both->to.guard);
}
void other_element(struct table *tables)
{
    SpinLockAcquire(&tables[0].guard);
    tables[0].marks--;
    SpinLockRelease(&tables[1].guard);
}

// expect: section 7 - lock=both->from.guard scope=instance left-held
// expect: section 13 - lock=tables->guard scope=instance left-held
// expect: finding wrong-lock-released high 9 object=both->to.guard
// expect: finding wrong-lock-released high 15 object=tables[1].guard
