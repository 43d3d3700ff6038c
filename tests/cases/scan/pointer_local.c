// A pointer that is known at the call; one that a parameter fills as well; a table of functions.
#include <pthread.h>
#include <stdlib.h>
struct pool {
    pthread_spinlock_t lock;
    int head;
    void (*done)(struct pool *pool);
    void (*gone)(void *p);
};

static int twice(int i)
{
    return 2 * i;
}

void known(struct pool *pool)
{
    int (*how)(int) = twice;
    pthread_spin_lock(&pool->lock);
    pool->head = how(pool->head);
    pthread_spin_unlock(&pool->lock);
}

static void nothing(struct pool *pool)
{
    (void)pool;
}

void set_done(struct pool *pool, void (*done)(struct pool *))
{
    pool->done = done ? done : nothing;
}

void reset(struct pool *pool)
{
    pool->done = nothing;
}

void finish(struct pool *pool)
{
    pthread_spin_lock(&pool->lock);
    pool->done(pool);
    pthread_spin_unlock(&pool->lock);
}

static void (*const table[])(struct pool *) = {nothing};

void by_table(struct pool *pool, int i)
{
    pthread_spin_lock(&pool->lock);
    table[i](pool);
    pthread_spin_unlock(&pool->lock);
}

void set_gone(struct pool *pool)
{
    pool->gone = free;
}

void drop(struct pool *pool, void *p)
{
    pthread_spin_lock(&pool->lock);
    pool->gone(p);
    pthread_spin_unlock(&pool->lock);
}

// expect: section 19 21 lock=pool->lock scope=instance
// expect: section 41 43 lock=pool->lock scope=instance
// expect: section 50 52 lock=pool->lock scope=instance
// expect: section 62 64 lock=pool->lock scope=instance
// expect: finding indirect-call low 42 object=pool->done
// expect: finding alloc medium 63 object=pool->gone
