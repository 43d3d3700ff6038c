#include <pthread.h>
struct entry {
    pthread_spinlock_t lock;
    int refs;
    char data[8192];
    int last;
};
struct entry *entry_get(int i);
void entry_put(struct entry *e);
