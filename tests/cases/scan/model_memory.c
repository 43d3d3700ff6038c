// What a lock guards decides what can fault. A kernel's memory stays mapped; objects of one process
// were mapped when one of its threads made them, and fresh heap was not.
#include <stdlib.h>
typedef struct { unsigned v; } spinlock_t;
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
#define HA_SPIN_LOCK(lbl, l)   do { } while (0)
#define HA_SPIN_UNLOCK(lbl, l) do { } while (0)
typedef volatile unsigned long ngx_atomic_t;
void ngx_rwlock_wlock(ngx_atomic_t *lock);
void ngx_rwlock_unlock(ngx_atomic_t *lock);

struct item { struct item *next; int weight; };
struct device { spinlock_t lock; struct item *items; };
struct proxy { unsigned long lock; struct item *servers; };
struct peers { ngx_atomic_t rwlock; struct item *peer; };

int in_a_kernel(struct device *d)
{
    int sum = 0;
    spin_lock(&d->lock);
    for (struct item *i = d->items; i; i = i->next)
        sum += i->weight;
    spin_unlock(&d->lock);
    return sum;
}

int in_one_process(struct proxy *p)
{
    int weight;
    HA_SPIN_LOCK(PROXY_LOCK, &p->lock);
    weight = p->servers->next->weight;
    HA_SPIN_UNLOCK(PROXY_LOCK, &p->lock);
    return weight;
}

void fresh(struct proxy *p)
{
    struct item *item = malloc(sizeof *item);
    if (!item)
        return;
    HA_SPIN_LOCK(PROXY_LOCK, &p->lock);
    item->next = p->servers;
    p->servers = item;
    HA_SPIN_UNLOCK(PROXY_LOCK, &p->lock);
}

int in_shared_memory(struct peers *p)
{
    int weight;
    ngx_rwlock_wlock(&p->rwlock);
    weight = p->peer->next->weight;
    ngx_rwlock_unlock(&p->rwlock);
    return weight;
}

void takes_out(struct proxy *p)
{
    struct item *first;
    HA_SPIN_LOCK(PROXY_LOCK, &p->lock);
    first = p->servers;
    p->servers = NULL;
    free(first);
    HA_SPIN_UNLOCK(PROXY_LOCK, &p->lock);
}

// expect: section 21 24 lock=d->lock scope=instance
// expect: section 31 33 lock=p->lock scope=instance
// expect: section 42 45 lock=p->lock scope=instance
// expect: section 51 53 lock=p->rwlock scope=instance
// expect: section 60 64 lock=p->lock scope=instance
// expect: finding loop low 22 object=d->lock
// expect: finding fault-under-lock medium 43 object=item->next
// expect: finding fault-under-lock medium 52 object=p->peer->next
// expect: finding fault-under-lock medium 52 object=p->peer->next->weight
// expect: finding alloc medium 63 object=free
