// A huge page is one first touch as well, and a populated one is none.
#include <sys/mman.h>
#include "lock.h"
struct area { int n; char data[8192]; };
extern struct pool { slock_t guard; int first; } *pool;
int fresh(void)
{
    struct area *area = mmap(0, 1 << 21, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
    SpinLockAcquire(&pool->guard);
    area->n = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}
int one_touch(void)
{
    struct area *area = mmap(0, 1 << 21, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
    area->n = 0;
    SpinLockAcquire(&pool->guard);
    area->data[8000] = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}

// expect: section 10 12 lock=pool->guard scope=singleton
// expect: section 20 22 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 11 object=area->n
