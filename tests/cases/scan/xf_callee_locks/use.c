// Nothing here names a lock either: it is taken and released by functions of other files.
#include "lock.h"

void direct(struct pool *p)
{
    pool_lock(p);
    p->tail++;
    pool_unlock(p);
}

int tried(struct pool *p)
{
    if (!pool_try(p))
        return 0;
    p->tail++;
    pool_unlock(p);
    return 1;
}

void twice_removed(void)
{
    lock_the_pool();
    pool->tail++;
    unlock_the_pool();
}

int leaks(struct pool *p, int stop)
{
    pool_lock(p);
    if (stop)
        return -1;
    pool_unlock(p);
    return 0;
}

// expect: section 6 8 lock=p->lock scope=instance
// expect: section 13 16 lock=p->lock scope=instance
// expect: section 22 24 lock=pool->lock scope=singleton
// expect: section 29 32 lock=p->lock scope=instance left-held
// expect: finding long-section low 6 object=p->lock
// expect: path long-section 6 use.c:6 lock.c:3 use.c:8 lock.c:4
// expect: finding fault-under-lock low 7 object=p->tail
// expect: path fault-under-lock 7 use.c:6 lock.c:3 use.c:7 use.c:8 lock.c:4
// expect: finding long-section low 13 object=p->lock
// expect: path long-section 13 use.c:13 lock.c:5 use.c:16 lock.c:4
// expect: finding fault-under-lock low 15 object=p->tail
// expect: path fault-under-lock 15 use.c:13 lock.c:5 use.c:15 use.c:16 lock.c:4
// expect: finding fault-under-lock medium 23 object=pool->tail
// expect: path fault-under-lock 23 use.c:22 lock.c:3 use.c:23 use.c:24 outer.c:4
// expect: finding lock-leak high 31 object=p->lock
// expect: path lock-leak 31 use.c:29 lock.c:3 use.c:31 use.c:32 lock.c:4
