// One lock is taken and another released.
#include "lock.h"
struct table { slock_t readers, writers; int marks; };
extern struct table *table;
void mark(void)
{
    SpinLockAcquire(&table->readers);
    table->marks++;
    SpinLockRelease(&table->writers);
}

// expect: section 7 - lock=table->readers scope=singleton left-held
// expect: finding wrong-lock-released high 9 object=table->writers
