// Guards release in the opposite order of their declaration, on every way out.
#include "lock.h"
struct pool { slock_t a, b; int first; };
static void drop(slock_t **lock) { SpinLockRelease(*lock); }
#define HELD(name, l) slock_t *name __attribute__((cleanup(drop))) = (l); SpinLockAcquire(name)
int both(struct pool *pool)
{
    HELD(one, &pool->a);
    if (pool->first < 0)
        return -1;
    {
        HELD(two, &pool->b);
        __spinfault_debug_held();
        pool->first++;
    }
    __spinfault_debug_held();
    return 0;
}

// expect: section 8 10,17 lock=pool->a scope=instance
// expect: section 12 15 lock=pool->b scope=instance
// expect: finding nested-lock low 12 object=pool->b
// expect: debug 13 held=pool->a,pool->b
// expect: debug 16 held=pool->a
