// `locked` is set where the lock is taken, inside of a loop, and decides over its release after it.
#include "lock.h"
struct table { slock_t lock, updates; int n; };
int visit(struct table *t, int *used, int n)
{
    int locked, batched = 0, looped = 0, failed = 0, i = 0;
    do {
        locked = 0;
        SpinLockAcquire(&t->lock);
        while (batched < n) {
            if (used[i] < 0) {
                if (looped)
                    break;
                looped = 1;
            }
            if (used[i] == 7) {
                if (failed)
                    break;
                continue;
            }
            if (!locked) {
                locked = 1;
                SpinLockAcquire(&t->updates);
            }
            t->n++;
            batched++;
            if (failed)
                break;
        }
        if (locked)
            SpinLockRelease(&t->updates);
        SpinLockRelease(&t->lock);
        if (batched > 0)
            break;
        failed = 1;
        i++;
    } while (i < n);
    return batched;
}

int forgets(struct table *t, int n)
{
    int locked = 0;
    for (int i = 0; i < n; i++) {
        if (!locked)
            SpinLockAcquire(&t->updates);
        t->n++;
    }
    if (locked)
        SpinLockRelease(&t->updates);
    return n;
}

// expect: section 9 32 lock=t->lock scope=instance
// expect: section 23 31 lock=t->updates scope=instance
// expect: section 46 - lock=t->updates scope=instance left-held
// expect: finding loop low 10 object=t->lock
// expect: finding nested-lock low 23 object=t->updates
// expect: finding double-acquire high 46 object=t->updates
