// Assembler under the lock: barriers and pauses are nothing; operands are memory like other memory.
#include "lock.h"
struct pool { slock_t guard; int first; };
extern struct pool *pool;
extern struct slot { int next; char data[60]; } *slots;
int swap(int i, int value)
{
    SpinLockAcquire(&pool->guard);
    __asm__ __volatile__("" : : : "memory");
    __asm__ __volatile__("xchgl %0, %1" : "+r"(value), "+m"(pool->first));
    __asm__ __volatile__("xchgl %0, %1" : "+r"(value), "+m"(slots[i].next));
    SpinLockRelease(&pool->guard);
    return value;
}

// expect: section 8 12 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 11 object=slots[].next
