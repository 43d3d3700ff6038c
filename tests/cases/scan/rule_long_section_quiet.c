// Some dozens of assignments are what a section is for.
#include "lock.h"
struct pool { slock_t guard; int a, b, c, d, e, f, g, h; };
void reset(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pool->a = pool->b = pool->c = pool->d = 0;
    pool->e = pool->f = pool->g = pool->h = 0;
    for (int i = 0; i < 4; i++)
        pool->a += i;
    SpinLockRelease(&pool->guard);
}

// expect: section 6 11 lock=pool->guard scope=instance
// expect: none
// expect: quiet long-section
