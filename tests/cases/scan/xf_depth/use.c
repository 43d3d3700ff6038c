// Three files further it is seen; what lies behind more of them is unknown.
#include <pthread.h>
struct pool {
    pthread_spinlock_t lock;
    int head;
};
int f1(int x);
int f4(int x);

void near(struct pool *pool)
{
    pthread_spin_lock(&pool->lock);
    pool->head = f4(1);
    pthread_spin_unlock(&pool->lock);
}

void far(struct pool *pool)
{
    pthread_spin_lock(&pool->lock);
    pool->head = f1(1);
    pthread_spin_unlock(&pool->lock);
}

// expect: section 12 14 lock=pool->lock scope=instance
// expect: section 19 21 lock=pool->lock scope=instance
// expect: finding blocking high 13 object=f4
