// For header_inline.c.
#ifndef INLINE_H
#define INLINE_H
#include "lock.h"
struct cell { slock_t guard; int value; };
static inline int cell_take(struct cell *cell)
{
    SpinLockAcquire(&cell->guard);
    int value = cell->value--;
    SpinLockRelease(&cell->guard);
    return value;
}
#endif
