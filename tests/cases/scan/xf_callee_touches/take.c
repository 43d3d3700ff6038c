// What a function of another file touches under the lock is a finding here, with the way there.
#include "pool.h"

int take(void)
{
    pthread_spin_lock(&pool->lock);
    int head = pop(pool);
    pthread_spin_unlock(&pool->lock);
    return head;
}

// Beside the lock.
int size(void)
{
    pthread_spin_lock(&pool->lock);
    int n = count(pool);
    pthread_spin_unlock(&pool->lock);
    return n;
}

int take_clean(void)
{
    pthread_spin_lock(&pool->lock);
    int head = pop(pool);
    fill(&pool->slots[head]);
    pthread_spin_unlock(&pool->lock);
    return head;
}

// expect: section 6 8 lock=pool->lock scope=singleton
// expect: section 15 17 lock=pool->lock scope=singleton
// expect: section 23 26 lock=pool->lock scope=singleton
// expect: finding fault-under-lock high 7 object=pool->slots[].next
// expect: path fault-under-lock 7 take.c:6 take.c:7 pool.c:8 take.c:8
// expect: finding fault-under-lock high 24 object=pool->slots[].next
// expect: path fault-under-lock 24 take.c:23 take.c:24 pool.c:8 take.c:26
// expect: finding bulk-copy low 25 object=pool->slots[].payload
// expect: path bulk-copy 25 take.c:23 take.c:25 pool.c:19 take.c:26
