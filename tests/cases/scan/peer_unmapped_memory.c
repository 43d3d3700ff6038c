// A mapping is read for the first time under the lock; prefaulted, populated and beside the lock it
// is not.
#include <string.h>
#include <sys/mman.h>
#include "lock.h"
struct table { slock_t guard; int hits; };
struct entry { long key, value; char data[4080]; };
static struct table table;
static struct entry *entries;
int map_it(size_t n)
{
    entries = mmap(0, n * sizeof *entries, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return entries == MAP_FAILED ? -1 : 0;
}
long look(unsigned i)
{
    SpinLockAcquire(&table.guard);
    long value = entries[i].value;
    SpinLockRelease(&table.guard);
    return value;
}
long look_prefaulted(unsigned i)
{
    (void)*(volatile long *)&entries[i].value;
    SpinLockAcquire(&table.guard);
    long value = entries[i].value;
    SpinLockRelease(&table.guard);
    return value;
}
void beside(void)
{
    SpinLockAcquire(&table.guard);
    table.hits++;
    SpinLockRelease(&table.guard);
}
long fresh_and_populated(int i)
{
    struct entry *own = mmap(0, 16 * sizeof *own, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    SpinLockAcquire(&table.guard);
    long value = own[3].value;
    own[4].value = value;
    SpinLockRelease(&table.guard);
    return value;
}

// expect: section 17 19 lock=table.guard scope=singleton
// expect: section 25 27 lock=table.guard scope=singleton
// expect: section 32 34 lock=table.guard scope=singleton
// expect: section 40 43 lock=table.guard scope=singleton
// expect: finding fault-under-lock high 18 object=entries[].value
