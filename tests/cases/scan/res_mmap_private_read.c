// Private anonymous memory: a read touch before leaves the first write faulting; a write does not.
#include <sys/mman.h>
#include "lock.h"
struct area { int n; char data[8192]; };
extern struct pool { slock_t guard; int first; } *pool;
int read_before(void)
{
    struct area *area = mmap(0, sizeof *area, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int n = area->n;
    SpinLockAcquire(&pool->guard);
    area->n = n + 1;
    SpinLockRelease(&pool->guard);
    return n;
}
int written_before(void)
{
    struct area *area = mmap(0, sizeof *area, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    area->n = 1;
    SpinLockAcquire(&pool->guard);
    area->n = 2;
    SpinLockRelease(&pool->guard);
    return 0;
}
int only_read(void)
{
    struct area *area = mmap(0, sizeof *area, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int n = area->n;
    SpinLockAcquire(&pool->guard);
    pool->first = area->n;
    SpinLockRelease(&pool->guard);
    return n;
}

// expect: section 10 12 lock=pool->guard scope=singleton
// expect: section 19 21 lock=pool->guard scope=singleton
// expect: section 28 30 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 11 object=area->n
