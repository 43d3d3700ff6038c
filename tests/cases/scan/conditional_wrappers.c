// Wrappers that lock only when the object says so: taken and released on the same condition, which
// is asked in the callees.
#include "lock.h"
struct hash { slock_t *lock; int takes_lock; int n; int *cells; };
static inline void wlock(struct hash *h) { if (h->takes_lock) SpinLockAcquire(h->lock); }
static inline void wunlock(struct hash *h) { if (h->takes_lock) SpinLockRelease(h->lock); }
int plain(struct hash *h) { wlock(h); h->n++; wunlock(h); return 0; }
int early(struct hash *h, int k)
{
    wlock(h);
    if (h->n > k) { wunlock(h); return 1; }
    h->cells[k] = 3;
    wunlock(h);
    return 0;
}
int looping(struct hash *h, int k)
{
    wlock(h);
    for (int i = 0; i < k; i++) {
        if (h->cells[i] == 3) { h->n++; wunlock(h); return 1; }
    }
    wunlock(h);
    return 0;
}
struct vars { slock_t lock; int scope; int size; };
static inline void vars_lock(struct vars *v) { if (v->scope == 3) SpinLockAcquire(&v->lock); }
static inline void vars_unlock(struct vars *v) { if (v->scope == 3) SpinLockRelease(&v->lock); }
int same_object(struct vars *v)
{
    vars_lock(v);
    v->size--;
    vars_unlock(v);
    return 1;
}
int forgets(struct hash *h)
{
    wlock(h);
    if (h->n > 3)
        return 1;
    wunlock(h);
    return 0;
}

// expect: section 5 - lock=h->lock scope=instance left-held
// expect: section 6 6 lock=h->lock scope=instance entered-held left-held
// expect: section 7 7 lock=h->lock scope=instance
// expect: section 10 11,13 lock=h->lock scope=instance
// expect: section 18 20,22 lock=h->lock scope=instance
// expect: section 26 - lock=v->lock scope=instance left-held
// expect: section 27 27 lock=v->lock scope=instance entered-held left-held
// expect: section 30 32 lock=v->lock scope=instance
// expect: section 37 40 lock=h->lock scope=instance left-held
// expect: finding fault-under-lock medium 12 object=h->cells[]
// expect: finding loop low 19 object=h->lock
// expect: finding fault-under-lock medium 20 object=h->cells[]
// expect: finding lock-leak high 39 object=h->lock
