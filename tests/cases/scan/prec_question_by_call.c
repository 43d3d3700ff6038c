// A function is asked whether to lock, and the same question again whether to release. Another
// question is another answer.
#include "lock.h"
struct map { slock_t lock; unsigned flags; int state; };
struct map *map_find(int n);
int may_enable(int n);
int is_private(const struct map *map);

static inline bool is_shared(const struct map *map)
{
    return (map->flags & 4u) != 0;
}

int enable(int n)
{
    int status = -1;
    struct map *map = map_find(n);
    if (is_shared(map))
        SpinLockAcquire(&map->lock);
    if (!may_enable(n))
        goto finish;
    map->state = 1;
    status = 0;
finish:
    if (is_shared(map))
        SpinLockRelease(&map->lock);
    return status;
}

int disable(int n)
{
    struct map *map = map_find(n);
    if (!is_private(map))
        SpinLockAcquire(&map->lock);
    if (may_enable(n))
        map->state = 0;
    if (is_private(map) == 0)
        SpinLockRelease(&map->lock);
    return 0;
}

static inline void map_take(struct map *map)
{
    SpinLockAcquire(&map->lock);
}

static inline void map_give(struct map *map)
{
    SpinLockRelease(&map->lock);
}

int enable_by_wrappers(int n)
{
    struct map *map = map_find(n);
    if (is_shared(map))
        map_take(map);
    if (may_enable(n))
        map->state = 1;
    if (is_shared(map))
        map_give(map);
    return 0;
}

int confuse(int n)
{
    struct map *map = map_find(n), *other = map_find(n + 1);
    if (is_private(map))
        SpinLockAcquire(&map->lock);
    map->state = n;
    if (is_private(other))
        SpinLockRelease(&map->lock);
    return map->state;
}

// expect: section 19 26 lock=map->lock scope=instance
// expect: section 34 38 lock=map->lock scope=instance
// expect: section 56 60 lock=map->lock scope=instance
// expect: section 68 71 lock=map->lock scope=instance left-held
// expect: finding unknown-call low 20 object=may_enable
// expect: finding unknown-call low 35 object=may_enable
// expect: finding unknown-call low 37 object=is_private
// expect: finding unknown-call low 57 object=may_enable
// expect: finding unknown-call low 70 object=is_private
// expect: finding unheld-release medium 71 object=map->lock
// expect: finding lock-leak high 72 object=map->lock
