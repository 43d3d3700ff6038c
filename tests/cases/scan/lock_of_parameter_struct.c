// The lock in a record that is passed by value, in an array of records, and behind two pointers.
#include "lock.h"
struct ref { slock_t *lock; int *data; };
struct shelf { struct { slock_t guard; int first; } rows[4][4]; };
void by_value(struct ref ref)
{
    SpinLockAcquire(ref.lock);
    *ref.data = 1;
    SpinLockRelease(ref.lock);
    __spinfault_debug_held();
}
void in_matrix(struct shelf *shelf, int i, int k)
{
    SpinLockAcquire(&shelf->rows[i][k].guard);
    shelf->rows[i][k].first = 0;
    __spinfault_debug_residency(&shelf->rows[i][k].first);
    SpinLockRelease(&shelf->rows[i][k].guard);
    __spinfault_debug_held();
}
void two_pointers(struct ref **refs)
{
    SpinLockAcquire((*refs)->lock);
    __spinfault_debug_held();
    SpinLockRelease((*refs)->lock);
}

// expect: section 7 9 lock=ref.lock scope=instance
// expect: section 14 17 lock=shelf->rows[][].guard scope=instance
// expect: section 22 24 lock=(*refs)->lock scope=instance
// expect: debug 10 held=
// expect: debug 16 residency=same-page
// expect: debug 18 held=
// expect: debug 23 held=(*refs)->lock
// expect: none
