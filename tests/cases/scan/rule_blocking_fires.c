// What may sleep: a mutex, a condition, a semaphore, a file, a sleep two files could not hide.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>
#include "lock.h"
struct pool { slock_t guard; pthread_mutex_t big; pthread_cond_t changed; sem_t items; int fd; };
void mutex(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pthread_mutex_lock(&pool->big);
    pthread_mutex_unlock(&pool->big);
    SpinLockRelease(&pool->guard);
}
void condition(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pthread_cond_wait(&pool->changed, &pool->big);
    SpinLockRelease(&pool->guard);
}
void semaphore(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    sem_wait(&pool->items);
    SpinLockRelease(&pool->guard);
}
void file(struct pool *pool, char *to)
{
    SpinLockAcquire(&pool->guard);
    (void)!read(pool->fd, to, 1);
    SpinLockRelease(&pool->guard);
}

// expect: section 9 12 lock=pool->guard scope=instance
// expect: section 16 18 lock=pool->guard scope=instance
// expect: section 22 24 lock=pool->guard scope=instance
// expect: section 28 30 lock=pool->guard scope=instance
// expect: finding blocking high 10 object=pthread_mutex_lock
// expect: finding syscall medium 11 object=pthread_mutex_unlock
// expect: finding blocking high 17 object=pthread_cond_wait
// expect: finding blocking high 23 object=sem_wait
// expect: finding blocking high 29 object=read
