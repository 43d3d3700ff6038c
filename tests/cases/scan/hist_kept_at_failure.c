// The lock is never let go of, and the same failure is told with it and without it.
#include <stddef.h>
typedef struct { volatile int locked; } rte_spinlock_t;
void rte_spinlock_lock(rte_spinlock_t *l);
int rte_spinlock_trylock(rte_spinlock_t *l);
void rte_spinlock_unlock(rte_spinlock_t *l);
struct area { int n; struct area *next; };
static rte_spinlock_t areas_lock;
static struct area *areas;
static long asked;

int area_attach(struct area *a)
{
    if (a->n < 0)
        return -1;
    rte_spinlock_lock(&areas_lock);
    if (areas == a)
        return -1;
    a->next = areas;
    areas = a;
    return 0;
}

struct area *area_acquire(int n)
{
    if (rte_spinlock_trylock(&areas_lock)) {
        asked++;
        for (struct area *a = areas; a; a = a->next)
            if (a->n == n)
                return a;
    }
    return NULL;
}

// Here each result has one meaning.
struct area *area_get(struct area *wanted)
{
    if (!wanted)
        return NULL;
    rte_spinlock_lock(&areas_lock);
    return wanted;
}

int area_begin(struct area *a)
{
    if (a->n < 0)
        return -1;
    rte_spinlock_lock(&areas_lock);
    a->n = areas == a;
    return 0;
}

void area_end(void) { rte_spinlock_unlock(&areas_lock); }

// expect: section 16 - lock=areas_lock scope=singleton left-held
// expect: section 26 - lock=areas_lock scope=singleton left-held
// expect: section 40 - lock=areas_lock scope=singleton left-held
// expect: section 48 - lock=areas_lock scope=singleton left-held
// expect: finding lock-leak high 18 object=areas_lock
// expect: finding lock-leak high 32 object=areas_lock
// expect: finding loop medium 28 object=areas_lock
