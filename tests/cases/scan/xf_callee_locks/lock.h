#include <pthread.h>
struct pool {
    pthread_spinlock_t lock;
    int head;
    char far[8192];
    int tail;
};
extern struct pool *pool;
void pool_lock(struct pool *p);
void pool_unlock(struct pool *p);
int pool_try(struct pool *p);
void lock_the_pool(void);
void unlock_the_pool(void);
