// Taking a slot off the free list, once for each kind of lock.
#ifndef FAULTLOCK_TAKE_H
#define FAULTLOCK_TAKE_H

#include "pool.h"

// When the lock was held, in ns of CLOCK_MONOTONIC.
struct hold {
    uint64_t begin, end;
};

struct lock_kind {
    const char *name;
    const char *help;
    void (*init)(struct pool *pool);
    // Pops a slot; LIST_END when there is none. `spins` counts waits that ended in a sleep.
    int (*take)(struct pool *pool, unsigned owner, struct hold *hold, uint64_t *sleeps);
};

extern const struct lock_kind lock_kinds[]; // ends with a row whose name is NULL

uint64_t now_ns(void);

#endif
