// The same API as a macro: what it expands to is of no matter.
#include <stdbool.h>
typedef unsigned char slock_t;
extern void s_lock(volatile slock_t *lock);
void __spinfault_debug_held(void);
#define TAS(lock)             (*(lock) ? 1 : (*(lock) = 1, 0))
#define S_LOCK(lock)          (TAS(lock) ? s_lock(lock) : (void)0)
#define S_UNLOCK(lock)        do { __asm__ __volatile__("" : : : "memory"); *(lock) = 0; } while (0)
#define SpinLockAcquire(lock) S_LOCK(lock)
#define SpinLockRelease(lock) S_UNLOCK(lock)
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

// expect: section 16 20 lock=pool->guard scope=singleton
// expect: debug 17 held=pool->guard
// expect: finding fault-under-lock high 19 object=slots[].next
// expect: debug 21 held=
