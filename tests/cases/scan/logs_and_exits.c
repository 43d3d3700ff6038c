// Who logs why the process ends, and ends it, keeps nobody waiting for a lock that ends with it.
#include <stdio.h>
#include <stdlib.h>
typedef struct { unsigned value; } ck_spinlock_t;
void ck_spinlock_lock(ck_spinlock_t *lock);
void ck_spinlock_unlock(ck_spinlock_t *lock);
static ck_spinlock_t lock;
static int inside;

static void die(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(1);
}

static void check(void)
{
    if (inside != 0)
        die("somebody is here");
    inside++;
}

void enter(void)
{
    ck_spinlock_lock(&lock);
    check();
    ck_spinlock_unlock(&lock);
}

static void warn(const char *why)
{
    fprintf(stderr, "%s\n", why);
}

void enter_with_a_warning(void)
{
    ck_spinlock_lock(&lock);
    if (inside)
        warn("somebody is here");
    ck_spinlock_unlock(&lock);
}

// expect: section 25 27 lock=lock scope=singleton
// expect: section 37 40 lock=lock scope=singleton
// expect: finding blocking high 39 object=warn
