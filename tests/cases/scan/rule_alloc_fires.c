// The heap under the lock, by every name it has: growing, copying a string, freeing.
#include <stdlib.h>
#include <string.h>
#include "lock.h"
struct pool { slock_t guard; char *name; void *spare; };
extern struct pool *pool;
void grow(size_t n)
{
    SpinLockAcquire(&pool->guard);
    pool->spare = realloc(pool->spare, n);
    SpinLockRelease(&pool->guard);
}
void rename_it(const char *name)
{
    SpinLockAcquire(&pool->guard);
    pool->name = strdup(name);
    SpinLockRelease(&pool->guard);
}
void drop(struct pool *some)
{
    SpinLockAcquire(&some->guard);
    free(some->spare);
    some->spare = NULL;
    SpinLockRelease(&some->guard);
}

// expect: section 9 11 lock=pool->guard scope=singleton
// expect: section 15 17 lock=pool->guard scope=singleton
// expect: section 21 24 lock=some->guard scope=instance
// expect: finding alloc high 10 object=realloc
// expect: finding alloc high 16 object=strdup
// expect: finding alloc medium 22 object=free
