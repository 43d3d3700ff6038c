#include <pthread.h>
struct pool {
    pthread_spinlock_t lock;
    int head;
};
void say(const char *what);
void wait_a_bit(void);
void *node(void);
void drop(void *node);
void give_up(void);
void maybe_give_up(int why);
int add(int a, int b);
int far_away(int i);
