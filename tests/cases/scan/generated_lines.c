// A generated file says which lines its parts come from; findings are where the file has them.
#include "lock.h"
#include <unistd.h>
struct pool { slock_t guard; int first; };
#line 100 "grammar.y"
void act(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    usleep(1);
    SpinLockRelease(&pool->guard);
}

// expect: section 8 10 lock=pool->guard scope=instance
// expect: finding blocking high 9 object=usleep
