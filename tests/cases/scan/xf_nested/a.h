#include <pthread.h>
struct stats {
    pthread_spinlock_t lock;
    long n;
};
extern struct stats stats;
extern pthread_spinlock_t big;
void stats_bump(void);
