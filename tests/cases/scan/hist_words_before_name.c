// A word that stands between a type and the function's name, from a header that is missing.
#include "missing.h"

static rte_spinlock_t areas_lock;

int __api_experimental
area_attach(struct area *a)
{
    rte_spinlock_lock(&areas_lock);
    if (a->n == 0)
        return -1;
    a->n++;
    rte_spinlock_unlock(&areas_lock);
    return 0;
}

struct area * __api_experimental area_find(struct area *a)
{
    rte_spinlock_lock(&areas_lock);
    while (a && a->n == 0)
        a = a->next;
    rte_spinlock_unlock(&areas_lock);
    return a;
}

static int __cold area_drop(struct area *a)
{
    rte_spinlock_lock(&areas_lock);
    a->n--;
    rte_spinlock_unlock(&areas_lock);
    return 0;
}

// expect: section 9 13 lock=areas_lock scope=singleton left-held
// expect: section 19 22 lock=areas_lock scope=singleton
// expect: section 28 30 lock=areas_lock scope=singleton
// expect: finding lock-leak high 11 object=areas_lock
// expect: finding loop medium 20 object=areas_lock
// expect: file degraded
