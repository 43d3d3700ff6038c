// Each lock is taken under a flag of its own and released under the same one: more sets of locks than
// one block keeps apart by the questions alone. A release under another flag is a mistake.
#include "lock.h"
struct proxy { slock_t lock; int n; };
struct listener { slock_t lock; int state; struct proxy *proxy; };
extern slock_t proto_lock;

int stop(struct listener *l, int have_proxy, int have_proto, int have_listener)
{
    if (!have_proxy)
        SpinLockAcquire(&l->proxy->lock);
    if (!have_proto)
        SpinLockAcquire(&proto_lock);
    if (!have_listener)
        SpinLockAcquire(&l->lock);
    if (l->state > 3)
        l->state = 2;
    if (!have_listener)
        SpinLockRelease(&l->lock);
    if (!have_proto)
        SpinLockRelease(&proto_lock);
    if (!have_proxy)
        SpinLockRelease(&l->proxy->lock);
    return 0;
}

int wrong(struct listener *l, int have_proxy, int have_listener)
{
    if (!have_proxy)
        SpinLockAcquire(&l->proxy->lock);
    if (l->state > 3)
        l->state = 2;
    if (!have_listener)
        SpinLockRelease(&l->proxy->lock);
    return 0;
}

// expect: section 11 23 lock=l->proxy->lock scope=instance
// expect: section 13 21 lock=proto_lock scope=singleton
// expect: section 15 19 lock=l->lock scope=instance
// expect: section 30 34 lock=l->proxy->lock scope=instance left-held
// expect: finding nested-lock low 13 object=proto_lock
// expect: finding nested-lock low 15 object=l->lock
// expect: finding nested-lock medium 15 object=l->lock
// expect: finding unheld-release medium 34 object=l->proxy->lock
// expect: finding lock-leak high 35 object=l->proxy->lock
