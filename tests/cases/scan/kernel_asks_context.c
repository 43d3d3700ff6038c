// An allocation that asks whether it may sleep does not where a lock is held; one that does not ask
// may, and so may one that asks something else.
#include <linux/slab.h>
#include <linux/spinlock.h>

struct pool { spinlock_t lock; void *first; int is_small; };

static void *get_memory(int n)
{
    return kmalloc(n, in_interrupt() ? GFP_ATOMIC : GFP_KERNEL);
}

static void *get_more(int n)
{
    if (in_atomic())
        return NULL;
    return kmalloc(n, GFP_KERNEL);
}

static void *get_any(struct pool *pool)
{
    if (pool->is_small)
        return NULL;
    return kmalloc(64, GFP_KERNEL);
}

void fill(struct pool *pool)
{
    spin_lock_bh(&pool->lock);
    pool->first = get_memory(64);
    pool->first = get_more(64);
    spin_unlock_bh(&pool->lock);
}

void fill_any(struct pool *pool)
{
    spin_lock_bh(&pool->lock);
    pool->first = get_any(pool);
    spin_unlock_bh(&pool->lock);
}

// expect: finding alloc medium 30,31 object=get_memory
// expect: finding blocking high 38 object=get_any
