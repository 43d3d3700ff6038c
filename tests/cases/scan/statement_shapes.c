// Short-circuit, ?: and nested loops with continue; every way releases.
#include "lock.h"
struct pool { slock_t guard; int first, used; };
int shapes(struct pool *pool, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        SpinLockAcquire(&pool->guard);
        if (pool->first > 3 || (pool->used && pool->first)) {
            SpinLockRelease(&pool->guard);
            continue;
        }
        sum += pool->used ? pool->first : pool->used;
        do {
            pool->used--;
        } while (pool->used > 0 && sum);
        SpinLockRelease(&pool->guard);
    }
    __spinfault_debug_held();
    return sum;
}

// expect: section 8 10,17 lock=pool->guard scope=instance
// expect: finding loop low 15 object=pool->guard
// expect: debug 19 held=
