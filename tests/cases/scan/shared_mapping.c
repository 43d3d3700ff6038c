// Shared memory is unmapped in each process until it is touched there.
#include "lock.h"
#include <sys/mman.h>
struct header { slock_t guard; int n; };
extern struct header *header;
void attach(int fd)
{
    int *table = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    SpinLockAcquire(&header->guard);
    table[1000] = header->n;
    SpinLockRelease(&header->guard);
}

// expect: section 9 11 lock=header->guard scope=singleton
// expect: finding fault-under-lock high 10 object=table[1000]
