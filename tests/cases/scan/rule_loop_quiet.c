// Few rounds by a constant, however they are counted, and loops that are no loops.
#include "lock.h"
#define SLOTS 16
enum { WAYS = 8 };
struct pool { slock_t guard; int used, ways[WAYS], slots[SLOTS]; };
void few(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    for (unsigned i = 0; i < WAYS; ++i)
        pool->ways[i] = 0;
    for (int i = SLOTS - 1; i >= 0; i--)
        pool->slots[i] = 0;
    for (int *p = pool->ways; p < pool->ways + WAYS; p++)
        *p += 1;
    for (unsigned i = 0; i < sizeof pool->slots / sizeof pool->slots[0]; i++)
        pool->used += pool->slots[i];
    do {
        pool->used++;
    } while (0);
    SpinLockRelease(&pool->guard);
}

// expect: section 8 20 lock=pool->guard scope=instance
// expect: none
// expect: quiet loop
