// A header is missing, so the record has no layout; its two locks are two all the same, and each is
// one and the same with itself.
#include <no/such/header.h>
#include "lock.h"
struct queue { unknown_list_t list; slock_t lock; };
struct priv { unknown_sema_t sema; slock_t lock; struct queue free; int n; };
static int get(struct priv *priv)
{
    SpinLockAcquire(&priv->free.lock);
    int n = priv->n;
    SpinLockRelease(&priv->free.lock);
    return n;
}
int nested(struct priv *priv)
{
    SpinLockAcquire(&priv->lock);
    int n = get(priv);
    SpinLockRelease(&priv->lock);
    return n;
}
int twice(struct priv *priv)
{
    SpinLockAcquire(&priv->free.lock);
    int n = get(priv);
    SpinLockRelease(&priv->free.lock);
    return n;
}

// expect: file degraded
// expect: section 9 11 lock=priv->free.lock scope=instance
// expect: section 16 18 lock=priv->lock scope=instance
// expect: section 23 25 lock=priv->free.lock scope=instance
// expect: finding nested-lock low 17 object=priv->free.lock
// expect: finding double-acquire high 24 object=priv->free.lock
