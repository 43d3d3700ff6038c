#include "lock.h"
struct pool *pool;
void pool_lock(struct pool *p) { pthread_spin_lock(&p->lock); }
void pool_unlock(struct pool *p) { pthread_spin_unlock(&p->lock); }
int pool_try(struct pool *p) { return pthread_spin_trylock(&p->lock) == 0; }
