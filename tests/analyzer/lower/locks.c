#include <pthread.h>
struct pool { pthread_spinlock_t lock; int head; } pool;
int f(struct pool *p)
{
    pthread_spin_lock(&pool.lock);
    pool.head++;
    pthread_spin_unlock(&pool.lock);
    if (pthread_spin_trylock(&p->lock))
        return 0;
    int got = pthread_spin_trylock(&p->lock);
    if (got == 0)
        pthread_spin_unlock(&p->lock);
    __spinfault_debug_held();
    return 1;
}

/* IR
function f(p)
b0:
  5: #0 acquire pthread_spin_lock &pool.lock
  6: #1 read pool.head 4
  6: #2 write pool.head 4
  6: #3 pool.head := `pool.head + 1`
  7: #4 release pthread_spin_unlock &pool.lock
  8: #5 try pthread_spin_trylock &p->lock
  8: branch result#5 ? b1 : b2
b1:
  9: return 0
b2:
  10: #6 try pthread_spin_trylock &p->lock
  10: #7 got := result#6
  11: branch got ? b4 : b3
b3:
  12: #8 release pthread_spin_unlock &p->lock
  12: jump b4
b4:
  13: #9 debug __spinfault_debug_held()
  14: return 1
*/
