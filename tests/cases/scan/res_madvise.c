// madvise says what it does by its last argument: POPULATE_WRITE maps, WILLNEED does not.
#include <stdlib.h>
#include <sys/mman.h>
#include "lock.h"
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif
struct area { int n; char data[8192]; };
extern struct pool { slock_t guard; int first; } *pool;
int for_writing(struct area *unused)
{
    struct area *area = mmap(0, sizeof *area, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    madvise(area, sizeof *area, MADV_POPULATE_WRITE);
    SpinLockAcquire(&pool->guard);
    area->n = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}
int for_reading(void)
{
    struct area *area = mmap(0, sizeof *area, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(area, sizeof *area, MADV_POPULATE_READ);
    SpinLockAcquire(&pool->guard);
    pool->first = area->n;
    area->n = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}
int soon(void)
{
    struct area *area = mmap(0, sizeof *area, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(area, sizeof *area, MADV_WILLNEED);
    SpinLockAcquire(&pool->guard);
    pool->first = area->n;
    SpinLockRelease(&pool->guard);
    return 0;
}

// expect: section 15 17 lock=pool->guard scope=singleton
// expect: section 24 27 lock=pool->guard scope=singleton
// expect: section 34 36 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 26 object=area->n
// expect: finding fault-under-lock high 35 object=area->n
