// Statement expressions: acquire and release inside one, and a value that is computed under the lock.
#include "lock.h"
struct pool { slock_t guard; int first; };
extern struct slot { int next; char data[60]; } *slots;
extern struct pool *the_pool;
int whole(struct pool *pool)
{
    int first = ({
        SpinLockAcquire(&pool->guard);
        int f = pool->first;
        SpinLockRelease(&pool->guard);
        f;
    });
    __spinfault_debug_held();
    return first;
}
int part(void)
{
    int i = ({ SpinLockAcquire(&the_pool->guard); the_pool->first; });
    the_pool->first = slots[i].next;
    SpinLockRelease(&the_pool->guard);
    return i;
}

// expect: section 9 11 lock=pool->guard scope=instance
// expect: section 19 21 lock=the_pool->guard scope=singleton
// expect: debug 14 held=
// expect: finding fault-under-lock high 20 object=slots[].next
