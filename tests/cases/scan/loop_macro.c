// A macro that is a loop of one round with the lock held: the block is the section.
#include "lock.h"
struct pool { slock_t guard; int first; };
#define LOCKED(p)                                                                                  \
    for (int once_ = (SpinLockAcquire(&(p)->guard), 1); once_;                                     \
         once_ = (SpinLockRelease(&(p)->guard), 0))
extern int usleep(unsigned us);
void fill(struct pool *pool)
{
    LOCKED(pool)
    {
        pool->first = 1;
        usleep(1);
    }
    usleep(1);
    __spinfault_debug_held();
}

// expect: section 10 10 lock=pool->guard scope=instance
// expect: finding blocking high 13 object=usleep
// expect: debug 16 held=
