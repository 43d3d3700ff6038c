// A cleanup function that frees runs when the lock is still held, or not: the order decides.
#include <stdlib.h>
#include "lock.h"
struct pool { slock_t guard; int first; };
static void drop(slock_t **lock) { SpinLockRelease(*lock); }
static void free_it(char **text) { free(*text); }
void inside(struct pool *pool)
{
    slock_t *held __attribute__((cleanup(drop))) = &pool->guard;
    SpinLockAcquire(held);
    char *text __attribute__((cleanup(free_it))) = (void *)0;
    pool->first++;
}
void outside(struct pool *pool)
{
    char *text __attribute__((cleanup(free_it))) = (void *)0;
    slock_t *held __attribute__((cleanup(drop))) = &pool->guard;
    SpinLockAcquire(held);
    pool->first++;
}

// expect: section 10 13 lock=pool->guard scope=instance
// expect: section 18 20 lock=pool->guard scope=instance
// expect: finding alloc medium 13 object=free_it
