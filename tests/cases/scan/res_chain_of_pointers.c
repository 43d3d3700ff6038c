// A chain of pointers under the lock: each link may be on a page of its own.
#include "lock.h"
struct leaf { int n; };
struct middle { struct leaf *leaf; };
struct pool { slock_t guard; struct middle *middle; };
extern struct pool *pool;
int chase(void)
{
    SpinLockAcquire(&pool->guard);
    int n = pool->middle->leaf->n;
    SpinLockRelease(&pool->guard);
    return n;
}
int known(void)
{
    struct leaf *leaf = pool->middle->leaf;
    int n = leaf->n;
    SpinLockAcquire(&pool->guard);
    n += leaf->n;
    SpinLockRelease(&pool->guard);
    return n;
}

// expect: section 9 11 lock=pool->guard scope=singleton
// expect: section 18 20 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 10 object=pool->middle->leaf
// expect: finding fault-under-lock high 10 object=pool->middle->leaf->n
