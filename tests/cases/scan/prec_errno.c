// errno is the thread's own, and the tables of ctype are read by everybody.
#include "lock.h"
#include <ctype.h>
#include <errno.h>
struct pool { slock_t guard; int n; char *name; };
extern struct pool *pool;
int next(int n)
{
    SpinLockAcquire(&pool->guard);
    while (n-- > 0 && errno == EINTR)
        errno = 0;
    pool->n += isdigit(n);
    SpinLockRelease(&pool->guard);
    return 0;
}
char first(void)
{
    SpinLockAcquire(&pool->guard);
    char c = *pool->name;
    SpinLockRelease(&pool->guard);
    return c;
}

// expect: section 9 13 lock=pool->guard scope=singleton
// expect: section 18 20 lock=pool->guard scope=singleton
// expect: finding loop medium 10 object=pool->guard
// expect: finding plt-first-call low 10 object=__errno_location
// expect: finding fault-under-lock high 19 object=*pool->name
