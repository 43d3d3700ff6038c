#include <pthread.h>
struct pool;
struct pool_ops {
    int (*pool_next)(struct pool *pool);
    void (*pool_full)(struct pool *pool);
};
struct slot {
    int next;
    char payload[1020];
};
struct pool {
    pthread_spinlock_t lock;
    int head;
    struct slot *slots;
    const struct pool_ops *ops;
};
extern struct pool *pool;
