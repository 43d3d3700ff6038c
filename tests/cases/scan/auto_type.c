// __auto_type and typeof name the same object under another name.
#include "lock.h"
struct pool { slock_t guard; int first; };
extern struct pool *the_pool;
void set(int n)
{
    __auto_type lock = &the_pool->guard;
    typeof(*the_pool) *same = the_pool;
    SpinLockAcquire(lock);
    same->first = n;
    __spinfault_debug_residency(&same->first);
    SpinLockRelease(&same->guard);
    __spinfault_debug_held();
}

// expect: section 9 12 lock=the_pool->guard scope=singleton
// expect: debug 11 residency=same-page
// expect: debug 13 held=
// expect: none
