// A lock that is released by swapping its bit out of the word, as PostgreSQL's LWLockWakeup does.
#include "lock.h"
typedef struct LWLock { unsigned short tranche; unsigned state; int waiters; } LWLock;
void LWLockWaitListLock(LWLock *lock);
void LWLockWaitListUnlock(LWLock *lock);
bool pg_atomic_compare_exchange_u32(unsigned *word, unsigned *expected, unsigned wanted);
void wake(LWLock *lock)
{
    unsigned old, wanted;
    LWLockWaitListLock(lock);
    lock->waiters = 0;
    old = lock->state;
    for (;;) {
        wanted = old & ~1u;
        if (pg_atomic_compare_exchange_u32(&lock->state, &old, wanted))
            break;
    }
    __spinfault_debug_held();
}

// expect: section 10 15 lock=lock scope=instance
// expect: debug 18 held=
// expect: none
