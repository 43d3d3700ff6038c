// Shared anonymous memory: a read touch before makes it writable, too.
#include <sys/mman.h>
#include "lock.h"
struct area { int n; char data[8192]; };
extern struct pool { slock_t guard; int first; } *pool;
int fresh(void)
{
    struct area *area = mmap(0, sizeof *area, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    SpinLockAcquire(&pool->guard);
    area->n = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}
int read_before(void)
{
    struct area *area = mmap(0, sizeof *area, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int n = area->n;
    SpinLockAcquire(&pool->guard);
    area->n = n + 1;
    SpinLockRelease(&pool->guard);
    return n;
}

// expect: section 9 11 lock=pool->guard scope=singleton
// expect: section 18 20 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 10 object=area->n
