// What belongs to every kernel, where its headers are not at hand: bits, lists and wake-ups do not
// sleep, and down() does. A body that is at hand is looked into.
typedef struct { int v; } spinlock_t;
struct mutex { int v; };
struct list_head { struct list_head *next, *prev; };
void spin_lock(spinlock_t *l);
void spin_unlock(spinlock_t *l);
void mutex_lock(struct mutex *m);
int test_and_set_bit(int bit, unsigned long *word);
void list_add_tail(struct list_head *entry, struct list_head *head);
void wake_up(void *queue);
void down(void *semaphore);
void unheard_of(int);
struct pool { spinlock_t lock; struct mutex big; unsigned long bits; struct list_head list; };

void quiet(struct pool *pool, struct list_head *entry)
{
    spin_lock(&pool->lock);
    if (!test_and_set_bit(1, &pool->bits))
        list_add_tail(entry, &pool->list);
    wake_up(pool);
    spin_unlock(&pool->lock);
}

void set_bit(int bit, struct pool *pool)
{
    mutex_lock(&pool->big);
    pool->bits |= 1ul << bit;
}

void fires(struct pool *pool)
{
    spin_lock(&pool->lock);
    down(pool);
    unheard_of(1);
    set_bit(1, pool);
    spin_unlock(&pool->lock);
}

// expect: section 18 22 lock=pool->lock scope=instance
// expect: section 33 37 lock=pool->lock scope=instance
// expect: finding blocking high 34 object=down
// expect: finding unknown-call low 35 object=unheard_of
// expect: finding blocking high 36 object=set_bit
