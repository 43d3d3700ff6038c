// What ShmemInitStruct returns is shared memory: new to each backend until it touches it there.
#include "lock.h"
void *ShmemInitStruct(const char *name, size_t size, bool *found);
struct state { slock_t guard; int n; char pad[8192]; int far; };
static struct state *state;
void attach(void)
{
    bool found;
    state = ShmemInitStruct("state", sizeof *state, &found);
    SpinLockAcquire(&state->guard);
    state->n = 0;
    state->far = 0;
    SpinLockRelease(&state->guard);
}

// expect: section 10 13 lock=state->guard scope=instance
// expect: finding long-section low 10 object=state->guard
// expect: finding fault-under-lock low 12 object=state->far
