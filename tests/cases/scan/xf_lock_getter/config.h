#include <pthread.h>
struct config {
    int version;
    pthread_spinlock_t ports_lock;
};
struct config *get_config(void);
pthread_spinlock_t *get_ports_lock(void);
