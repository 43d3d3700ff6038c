// An object that is returned with its lock held, or NULL.
#include "lock.h"
struct item { slock_t guard; int state; };
static struct item *grab(struct item *items, int i)
{
    struct item *item = &items[i];
    SpinLockAcquire(&item->guard);
    if (item->state == 0)
        return item;
    SpinLockRelease(&item->guard);
    return NULL;
}
void use(struct item *items, int i)
{
    struct item *item = grab(items, i);
    if (item) {
        __spinfault_debug_held();
        item->state = 1;
        SpinLockRelease(&item->guard);
    }
    __spinfault_debug_held();
}

// expect: section 7 10 lock=items[].guard scope=instance left-held
// expect: section 15 19 lock=items[].guard scope=instance
// expect: debug 17 held=items[].guard
// expect: debug 21 held=
// expect: none
