// The lock word is allocated apart from what it guards: being taken says nothing about the data.
#include "lock.h"
struct data { int first, used; };
extern slock_t *guard;
extern struct data *data;
struct pool { slock_t *guard; struct data *data; };
void global(void)
{
    SpinLockAcquire(guard);
    data->first++;
    SpinLockRelease(guard);
}
void of_object(struct pool *pool)
{
    SpinLockAcquire(pool->guard);
    pool->data->first++;
    SpinLockRelease(pool->guard);
}

// expect: section 9 11 lock=guard scope=singleton
// expect: section 15 17 lock=pool->guard scope=instance
// expect: finding fault-under-lock low 10 object=data->first
// expect: finding fault-under-lock medium 16 object=pool->data->first
