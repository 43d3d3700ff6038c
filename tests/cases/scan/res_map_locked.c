// MAP_LOCKED populates like MAP_POPULATE; MAP_NORESERVE and MAP_SHARED alone do not.
#include <sys/mman.h>
#include "lock.h"
struct area { int n; char data[8192]; };
extern struct pool { slock_t guard; int first; } *pool;
int locked(void)
{
    struct area *area = mmap(0, sizeof *area, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS | MAP_LOCKED, -1, 0);
    SpinLockAcquire(&pool->guard);
    area->n = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}
int reserved(void)
{
    struct area *area = mmap(0, sizeof *area, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    SpinLockAcquire(&pool->guard);
    area->n = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}

// expect: section 10 12 lock=pool->guard scope=singleton
// expect: section 19 21 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 20 object=area->n
