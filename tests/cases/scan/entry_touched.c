// What every caller touched before counts, two levels up; what one of them did not, does not.
#include "lock.h"
struct item { int state; char data[8000]; };
struct pool { slock_t guard; struct item *current; };

static void finish(struct pool *pool, struct item *item)
{
    SpinLockAcquire(&pool->guard);
    item->state = 2;
    pool->current = item;
    SpinLockRelease(&pool->guard);
}

static void middle(struct pool *pool, struct item *item)
{
    finish(pool, item);
}

void first(struct pool *pool, struct item **items, int i)
{
    items[i]->state = 1;
    middle(pool, items[i]);
}

void second(struct pool *pool, struct item **items, int i)
{
    items[i]->state = 0;
    finish(pool, items[i]);
}

static void finish_unprepared(struct pool *pool, struct item *item)
{
    SpinLockAcquire(&pool->guard);
    __spinfault_debug_residency(&item->state);
    SpinLockRelease(&pool->guard);
}

void prepared(struct pool *pool, struct item *item)
{
    item->state = 1;
    finish_unprepared(pool, item);
}

void unprepared(struct pool *pool, struct item *item)
{
    finish_unprepared(pool, item);
}

// A pointer in an object that every caller has followed.
static void through(struct pool *pool)
{
    SpinLockAcquire(&pool->guard);
    pool->current->state = 3;
    SpinLockRelease(&pool->guard);
}

void through_it(struct pool *pool)
{
    through(pool);
}

// expect: section 8 11 lock=pool->guard scope=instance
// expect: section 33 35 lock=pool->guard scope=instance
// expect: section 52 54 lock=pool->guard scope=instance
// expect: debug 34 residency=may-fault:pointer
// expect: finding fault-under-lock medium 53 object=pool->current->state
