// The same API as inline functions, as later versions have it: the sections stay where the callers are.
#include <stdbool.h>
typedef unsigned char slock_t;
extern int tas(volatile slock_t *lock);
extern int s_lock(volatile slock_t *lock);
void __spinfault_debug_held(void);
static inline void SpinLockAcquire(volatile slock_t *lock) { if (tas(lock)) s_lock(lock); }
static inline void SpinLockRelease(volatile slock_t *lock) { *lock = 0; }
struct pool { slock_t guard; int first; };
extern struct pool *pool;
extern struct slot { int next; char data[60]; } *slots;
int take(void)
{
    SpinLockAcquire(&pool->guard);
    __spinfault_debug_held();
    int i = pool->first;
    pool->first = slots[i].next;
    SpinLockRelease(&pool->guard);
    __spinfault_debug_held();
    return i;
}

// expect: section 14 18 lock=pool->guard scope=singleton
// expect: debug 15 held=pool->guard
// expect: finding fault-under-lock high 17 object=slots[].next
// expect: debug 19 held=
