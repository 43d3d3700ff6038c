// A mapped file: populated for reading, its first write still faults; MAP_POPULATE of private
// anonymous memory maps it for both.
#include <sys/mman.h>
#include "lock.h"
struct area { int n; char data[8192]; };
extern struct pool { slock_t guard; int first; } *pool;
int of_file(int fd)
{
    struct area *area = mmap(0, sizeof *area, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    SpinLockAcquire(&pool->guard);
    pool->first = area->n;
    area->n = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}
int anonymous(void)
{
    struct area *area = mmap(0, sizeof *area, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    SpinLockAcquire(&pool->guard);
    area->n = 1;
    SpinLockRelease(&pool->guard);
    return 0;
}

// expect: section 10 13 lock=pool->guard scope=singleton
// expect: section 20 22 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 12 object=area->n
