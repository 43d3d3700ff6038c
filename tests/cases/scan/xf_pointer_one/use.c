// One function is stored in the field, in another file, and static there: it is as good as a call.
#include "ops.h"

void advance(void)
{
    pthread_spin_lock(&pool->lock);
    pool->head = pool->ops->pool_next(pool);
    pthread_spin_unlock(&pool->lock);
}

void full(void)
{
    pthread_spin_lock(&pool->lock);
    pool->ops->pool_full(pool);
    pthread_spin_unlock(&pool->lock);
}

// expect: section 6 8 lock=pool->lock scope=singleton
// expect: section 13 15 lock=pool->lock scope=singleton
// expect: finding fault-under-lock high 7 object=pool->slots[].next
// expect: finding fault-under-lock high 7 object=pool->ops->pool_next
// expect: finding blocking high 14 object=pool->ops->pool_full
// expect: finding fault-under-lock high 14 object=pool->ops->pool_full
