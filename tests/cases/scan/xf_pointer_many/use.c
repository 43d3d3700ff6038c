// Two functions of two files: the worst of what they do. And a hook that nobody sets.
#include "ops.h"

void change(struct pool *pool)
{
    pthread_spin_lock(&pool->lock);
    pool->head++;
    pool->on_change(pool);
    pthread_spin_unlock(&pool->lock);
}

void trace(struct pool *pool)
{
    pthread_spin_lock(&pool->lock);
    trace_hook(pool->head);
    pthread_spin_unlock(&pool->lock);
}

// expect: section 6 9 lock=pool->lock scope=instance
// expect: section 14 16 lock=pool->lock scope=instance
// expect: finding indirect-call low 8 object=pool->on_change
// expect: finding indirect-call low 15 object=trace_hook
