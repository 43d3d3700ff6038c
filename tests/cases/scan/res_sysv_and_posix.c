// System V segments and shm_open: both are unmapped in a process until it touches them.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include "lock.h"
struct area { int n; char data[8192]; };
extern struct pool { slock_t guard; int first; } *pool;
int system_v(void)
{
    struct area *area = shmat(shmget(1, sizeof *area, 0600), 0, 0);
    SpinLockAcquire(&pool->guard);
    pool->first = area->n;
    SpinLockRelease(&pool->guard);
    return 0;
}
int posix(void)
{
    int fd = shm_open("/pool", O_RDWR, 0600);
    struct area *area = mmap(0, sizeof *area, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    SpinLockAcquire(&pool->guard);
    pool->first = area->n;
    SpinLockRelease(&pool->guard);
    return 0;
}
int touched(void)
{
    struct area *area = shmat(shmget(1, sizeof *area, 0600), 0, 0);
    int n = area->n;
    SpinLockAcquire(&pool->guard);
    area->n = n + 1;
    SpinLockRelease(&pool->guard);
    return n;
}

// expect: section 11 13 lock=pool->guard scope=singleton
// expect: section 20 22 lock=pool->guard scope=singleton
// expect: section 29 31 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 12 object=area->n
// expect: finding fault-under-lock high 21 object=area->n
