// What functions of another file do, where they are called under a lock.
#include "other.h"

void log_it(struct pool *pool)
{
    pthread_spin_lock(&pool->lock);
    say("taken");
    pthread_spin_unlock(&pool->lock);
}

void sleep_on_it(struct pool *pool)
{
    pthread_spin_lock(&pool->lock);
    wait_a_bit();
    pthread_spin_unlock(&pool->lock);
}

void allocate(struct pool *pool)
{
    pthread_spin_lock(&pool->lock);
    drop(node());
    pthread_spin_unlock(&pool->lock);
}

void leave(struct pool *pool)
{
    pthread_spin_lock(&pool->lock);
    maybe_give_up(pool->head);
    pthread_spin_unlock(&pool->lock);
}

int sum(struct pool *pool)
{
    pthread_spin_lock(&pool->lock);
    pool->head = add(pool->head, 1);
    pthread_spin_unlock(&pool->lock);
    return add(pool->head, 2);
}

static void helper(void)
{
    wait_a_bit();
}

// It is not called under a lock here.
void outside(void)
{
    helper();
}

void through_helper(struct pool *pool)
{
    pthread_spin_lock(&pool->lock);
    helper();
    pthread_spin_unlock(&pool->lock);
}

void nobody_knows(struct pool *pool)
{
    pthread_spin_lock(&pool->lock);
    far_away(1);
    pthread_spin_unlock(&pool->lock);
}

// expect: section 6 8 lock=pool->lock scope=instance
// expect: section 13 15 lock=pool->lock scope=instance
// expect: section 20 22 lock=pool->lock scope=instance
// expect: section 27 29 lock=pool->lock scope=instance
// expect: section 34 36 lock=pool->lock scope=instance
// expect: section 53 55 lock=pool->lock scope=instance
// expect: section 60 62 lock=pool->lock scope=instance
// expect: finding blocking high 7 object=say
// expect: path blocking 7 use.c:6 use.c:7 other.c:7 use.c:8
// expect: finding blocking high 14 object=wait_a_bit
// expect: path blocking 14 use.c:13 use.c:14 other.c:8 use.c:15
// expect: finding alloc medium 21 object=drop
// expect: path alloc 21 use.c:20 use.c:21 other.c:10 use.c:22
// expect: finding alloc medium 21 object=node
// expect: path alloc 21 use.c:20 use.c:21 other.c:9 use.c:22
// expect: finding error-exit medium 28 object=maybe_give_up
// expect: path error-exit 28 use.c:27 use.c:28 other.c:15 use.c:29
// expect: finding blocking high 54 object=helper
// expect: path blocking 54 use.c:53 use.c:54 other.c:8 use.c:55
// expect: finding unknown-call low 61 object=far_away
// expect: path unknown-call 61 use.c:60 use.c:61 use.c:62
