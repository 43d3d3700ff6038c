// Members of anonymous unions and structs are members of the record around them.
#include "lock.h"
struct pool {
    union {
        struct { slock_t guard; int first; };
        char line[64];
    };
    int used;
};
extern struct pool *pool;
void set(int n)
{
    SpinLockAcquire(&pool->guard);
    pool->first = n;
    pool->used = n;
    pool->line[8] = 0;
    __spinfault_debug_residency(&pool->used);
    SpinLockRelease(&pool->guard);
}

// expect: section 13 18 lock=pool->guard scope=singleton
// expect: debug 17 residency=same-page
// expect: none
