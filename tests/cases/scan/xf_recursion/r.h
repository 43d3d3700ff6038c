#include <pthread.h>
struct node {
    struct node *next;
    char data[4096];
};
struct list {
    pthread_spinlock_t lock;
    struct node *first;
};
int even(struct node *n);
int odd(struct node *n);
