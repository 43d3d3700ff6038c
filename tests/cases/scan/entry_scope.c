// A lock that is passed is the one global lock when every caller passes that.
#include "lock.h"
struct pool { slock_t guard; int first; };
static struct pool pool;
static struct pool *shared;

static void one(struct pool *p)
{
    SpinLockAcquire(&p->guard);
    p->first++;
    SpinLockRelease(&p->guard);
}

static void pointed(struct pool *p)
{
    SpinLockAcquire(&p->guard);
    p->first++;
    SpinLockRelease(&p->guard);
}

static void either(struct pool *p)
{
    SpinLockAcquire(&p->guard);
    p->first++;
    SpinLockRelease(&p->guard);
}

static void stored(struct pool *p)
{
    SpinLockAcquire(&p->guard);
    p->first++;
    SpinLockRelease(&p->guard);
}

// Nobody else knows of it.
void external(struct pool *p)
{
    SpinLockAcquire(&p->guard);
    p->first++;
    SpinLockRelease(&p->guard);
}

static void passes_on(struct pool *p)
{
    one(p);
}

void (*hook)(struct pool *) = stored;

void use(struct pool *other)
{
    one(&pool);
    passes_on(&pool);
    pointed(shared);
    either(&pool);
    either(other);
    stored(&pool);
    external(&pool);
}

// expect: section 9 11 lock=p->guard scope=singleton
// expect: section 16 18 lock=p->guard scope=singleton
// expect: section 23 25 lock=p->guard scope=instance
// expect: section 30 32 lock=p->guard scope=instance
// expect: section 38 40 lock=p->guard scope=singleton
// expect: none
