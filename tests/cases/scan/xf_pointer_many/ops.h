#include <pthread.h>
struct pool {
    pthread_spinlock_t lock;
    int head;
    void (*on_change)(struct pool *pool);
};
extern void (*trace_hook)(int);
void quiet(struct pool *pool);
void loud(struct pool *pool);
