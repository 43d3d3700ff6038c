// Wrappers of wrappers: the section is where the outermost is called, its name the argument's.
#include "lock.h"
struct pool { slock_t guard; int first; };
extern struct pool *the_pool;
extern struct slot { int next; char data[60]; } *slots;
static void inner_lock(slock_t *lock) { SpinLockAcquire(lock); }
static void inner_unlock(slock_t *lock) { SpinLockRelease(lock); }
static void pool_lock(struct pool *pool) { inner_lock(&pool->guard); }
static void pool_unlock(struct pool *pool) { inner_unlock(&pool->guard); }
static struct pool *enter(void) { pool_lock(the_pool); return the_pool; }
int take(void)
{
    struct pool *pool = enter();
    __spinfault_debug_held();
    int i = pool->first;
    pool->first = slots[i].next;
    pool_unlock(pool);
    __spinfault_debug_held();
    return i;
}

// expect: section 13 17 lock=the_pool->guard scope=singleton
// expect: debug 14 held=the_pool->guard
// expect: finding fault-under-lock high 16 object=slots[].next
// expect: debug 18 held=
