// A byte that wakes up who waits at a pipe is a system call, but no wait of the holder's own; nor is
// what MSG_DONTWAIT forbids to wait. Data to a descriptor may be waited for.
#include <sys/socket.h>
#include <unistd.h>
#include "lock.h"
struct pool { slock_t guard; int fd; };
extern int wake_pipe[64];
static void wake(int thread)
{
    char c = 'c';
    (void)!write(wake_pipe[thread], &c, 1);
}
void wakes(struct pool *pool, int thread)
{
    SpinLockAcquire(&pool->guard);
    wake(thread);
    SpinLockRelease(&pool->guard);
}
void looks(struct pool *pool, char *to)
{
    SpinLockAcquire(&pool->guard);
    recv(pool->fd, to, 64, MSG_DONTWAIT);
    SpinLockRelease(&pool->guard);
}
void sends(struct pool *pool, char *from)
{
    SpinLockAcquire(&pool->guard);
    send(pool->fd, from, 64, 0);
    SpinLockRelease(&pool->guard);
}
void writes(struct pool *pool, char *from)
{
    SpinLockAcquire(&pool->guard);
    (void)!write(pool->fd, from, 512);
    SpinLockRelease(&pool->guard);
}

// expect: finding syscall medium 16 object=wake
// expect: finding syscall medium 22 object=recv
// expect: finding blocking high 28 object=send
// expect: finding blocking high 34 object=write
