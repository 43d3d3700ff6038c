// PostgreSQL's dynamic shared memory: what it gives is unmapped in this backend.
#include "lock.h"
typedef unsigned long dsa_pointer;
typedef struct dsa_area dsa_area;
typedef struct shm_toc shm_toc;
void *dsa_get_address(dsa_area *area, dsa_pointer p);
void *shm_toc_lookup(shm_toc *toc, unsigned long key, bool no_error);
struct item { int n; dsa_pointer next; };
extern struct pool { slock_t guard; dsa_pointer first; } *pool;
int under_lock(dsa_area *area)
{
    SpinLockAcquire(&pool->guard);
    struct item *item = dsa_get_address(area, pool->first); 
    int n = item->n;
    SpinLockRelease(&pool->guard);
    return n;
}
int before(shm_toc *toc)
{
    struct item *item = shm_toc_lookup(toc, 1, false);
    int n = item->n;
    SpinLockAcquire(&pool->guard);
    n += item->n;
    SpinLockRelease(&pool->guard);
    return n;
}

// expect: section 12 15 lock=pool->guard scope=singleton
// expect: section 22 24 lock=pool->guard scope=singleton
// expect: finding fault-under-lock high 14 object=item->n
