#include <pthread.h>
struct slot {
    int next;
    char payload[1020];
};
struct pool {
    pthread_spinlock_t lock;
    int head, n;
    struct slot *slots;
};
extern struct pool *pool;
int pop(struct pool *p);
int count(const struct pool *p);
void fill(struct slot *slot);
