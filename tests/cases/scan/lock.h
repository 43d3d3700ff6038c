// What the cases share: a spinlock that the PostgreSQL model knows, and the questions to the analysis.
#ifndef LOCK_H
#define LOCK_H
#include <stdbool.h>
#include <stddef.h>

typedef unsigned char slock_t;
void SpinLockAcquire(volatile slock_t *lock);
void SpinLockRelease(volatile slock_t *lock);

void __spinfault_debug_held(void);
void __spinfault_debug_residency(const volatile void *place);
#endif
