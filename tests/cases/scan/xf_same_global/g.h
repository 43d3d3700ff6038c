#include <pthread.h>
struct ctl {
    pthread_spinlock_t lock;
    char gap[8192];
    int far;
};
extern struct ctl *ctl;
void ctl_touch(void);
int ctl_far(void);
void ctl_unlock(void);
