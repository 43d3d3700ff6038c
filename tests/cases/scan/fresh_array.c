// An array that was just allocated is filled under a lock: each of its pages faults once, for
// everybody who waits. A private page is mapped in no time: with one lock of many that is little.
#include "lock.h"
#include <stdlib.h>
struct row { int number; char rest[60]; };
struct slot { slock_t guard; int number; };
static slock_t all_guard;
static int number_of_all;
extern struct slot slots[1000];
struct row *copy_each(int n)
{
    struct row *rows = malloc(n * sizeof(struct row));
    for (int i = 0; i < n; i++) {
        SpinLockAcquire(&slots[i].guard);
        rows[i].number = slots[i].number;
        SpinLockRelease(&slots[i].guard);
    }
    return rows;
}
struct row *copy_one(int i, int n)
{
    struct row *rows = malloc(n * sizeof(struct row));
    SpinLockAcquire(&all_guard);
    rows[i].number = number_of_all;
    SpinLockRelease(&all_guard);
    return rows;
}

// expect: section 14 16 lock=slots[].guard scope=instance
// expect: section 23 25 lock=all_guard scope=singleton
// expect: finding fault-under-lock low 15 object=rows[].number
// expect: finding fault-under-lock medium 24 object=rows[].number
