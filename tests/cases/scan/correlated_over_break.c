// A callee releases the lock, then the loop is left by break; the counter tells that it was not.
#include "lock.h"
struct item { slock_t guard; int kind, first; };
extern struct item *items;
extern int n_items;
static void drop(struct item *item)
{
    item->first = -1;
    SpinLockRelease(&item->guard);
}
void drop_all(const int *kinds, int n)
{
    int k;
    for (int i = 0; i < n_items; i++) {
        struct item *item = &items[i];
        if (item->first < 0)
            continue;
        SpinLockAcquire(&item->guard);
        for (k = 0; k < n; k++) {
            if (item->kind == kinds[k]) {
                drop(item);
                break;
            }
        }
        if (k >= n)
            SpinLockRelease(&item->guard);
    }
    __spinfault_debug_held();
}

// expect: section 6 9 lock=item->guard scope=instance entered-held
// expect: section 18 21,26 lock=items[].guard scope=instance
// expect: finding loop low 19 object=items[].guard
// expect: debug 28 held=
// expect: quiet double-release
