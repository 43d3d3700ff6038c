// A populated mapping is resident in this process; of a file for reading only.
#include <sys/mman.h>
#include "lock.h"
struct header { slock_t guard; int n; };
extern struct header *header;
int anonymous(void)
{
    int *table = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    SpinLockAcquire(&header->guard);
    int old = table[header->n]++;
    SpinLockRelease(&header->guard);
    return old;
}
int file(int fd)
{
    int *table = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    SpinLockAcquire(&header->guard);
    int old = table[header->n];
    table[old] = 1;
    SpinLockRelease(&header->guard);
    return old;
}

// expect: section 9 11 lock=header->guard scope=singleton
// expect: section 17 20 lock=header->guard scope=singleton
// expect: finding fault-under-lock high 19 object=table[]
