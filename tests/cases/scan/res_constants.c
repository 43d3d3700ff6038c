// String literals and constant tables are the program's own pages, used all the time.
#include <string.h>
#include "lock.h"
struct pool { slock_t guard; int kind; char tag[16]; };
extern struct pool *pool;
static const char *const names[] = {"none", "some", "all"};
static const int weights[4] = {1, 2, 4, 8};
int weigh(void)
{
    SpinLockAcquire(&pool->guard);
    int weight = weights[pool->kind & 3];
    if (strcmp(pool->tag, "none") == 0)
        weight = 0;
    SpinLockRelease(&pool->guard);
    return weight;
}
const char *name(int kind)
{
    SpinLockAcquire(&pool->guard);
    const char *text = names[kind % 3];
    SpinLockRelease(&pool->guard);
    return text;
}

// expect: section 10 14 lock=pool->guard scope=singleton
// expect: section 19 21 lock=pool->guard scope=singleton
// expect: none
