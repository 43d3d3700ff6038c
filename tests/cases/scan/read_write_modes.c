// Readers and writers of one lock: each mode has its release, and all of them are sections.
#include "lock.h"
typedef struct { int v; } rte_rwlock_t;
void rte_rwlock_read_lock(rte_rwlock_t *l);
void rte_rwlock_read_unlock(rte_rwlock_t *l);
void rte_rwlock_write_lock(rte_rwlock_t *l);
void rte_rwlock_write_unlock(rte_rwlock_t *l);
int rte_rwlock_read_trylock(rte_rwlock_t *l);
struct table { rte_rwlock_t lock; int n; };
int look(struct table *t)
{
    rte_rwlock_read_lock(&t->lock);
    int n = t->n;
    rte_rwlock_read_unlock(&t->lock);
    return n;
}
void change(struct table *t)
{
    rte_rwlock_write_lock(&t->lock);
    t->n++;
    rte_rwlock_write_unlock(&t->lock);
}
int try_look(struct table *t)
{
    if (rte_rwlock_read_trylock(&t->lock) != 0)
        return -1;
    int n = t->n;
    rte_rwlock_read_unlock(&t->lock);
    return n;
}
int forgets(struct table *t)
{
    rte_rwlock_read_lock(&t->lock);
    if (t->n < 0)
        return -1;
    int n = t->n;
    rte_rwlock_read_unlock(&t->lock);
    return n;
}

// expect: section 12 14 lock=t->lock scope=instance
// expect: section 19 21 lock=t->lock scope=instance
// expect: section 25 28 lock=t->lock scope=instance
// expect: section 33 37 lock=t->lock scope=instance left-held
// expect: finding lock-leak high 35 object=t->lock
