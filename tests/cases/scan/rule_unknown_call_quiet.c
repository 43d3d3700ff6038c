// Functions that are seen, that a model knows, or that are the compiler's own.
#include <string.h>
#include "lock.h"
struct pool { slock_t guard; int first; char tag[8]; };
static int twice(int n) { return 2 * n; }
void known(struct pool *pool, const char *tag)
{
    SpinLockAcquire(&pool->guard);
    pool->first = twice(__builtin_popcount((unsigned)pool->first));
    if (strcmp(pool->tag, tag) == 0)
        pool->first = 0;
    SpinLockRelease(&pool->guard);
}

// expect: section 8 12 lock=pool->guard scope=instance
// expect: none
// expect: quiet unknown-call
