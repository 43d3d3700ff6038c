// Nothing that the file includes is there: names that nobody declares are made up, and what the code
// does is seen all the same.
#include "missing.h"
static int take(PoolData *pool, int n)
{
    SpinLockAcquire(&pool->mutex);
    if (pool->first < 0) {
        elog(ERROR, "bad");
        return undeclared_value;
    }
    if (n == SOME_CONSTANT)
        return PG_VALUE(3);
    Things[n].used = 0;
    SpinLockRelease(&pool->mutex);
    return n;
}

// expect: file degraded
// expect: section 6 14 lock=pool->mutex scope=instance left-held
// expect: finding error-exit high 8 object=elog
// expect: finding lock-leak high 12 object=pool->mutex
// expect: finding unknown-call low 12 object=PG_VALUE
// expect: finding fault-under-lock medium 13 object=Things[].used
