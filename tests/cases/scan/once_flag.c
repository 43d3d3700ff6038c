// A flag that is set once, and cleared again when it was too early: it orders nothing, so it guards
// nothing, and who clears it was not entered with a lock.
#include "lock.h"
#include <stdio.h>
struct pair { bool started; int thread; };
int current_thread(void);

int stop(struct pair *pair)
{
    if (__atomic_test_and_set(&pair->started, __ATOMIC_RELAXED))
        return -1;
    if (current_thread() != pair->thread) {
        __atomic_clear(&pair->started, __ATOMIC_RELAXED);
        return -2;
    }
    fflush(stdout);
    return 0;
}

int stop_all(struct pair *pairs, int n)
{
    for (int i = 0; i < n; i++)
        stop(&pairs[i]);
    return fflush(stdout);
}

static bool busy;
int under_lock(int thread)
{
    while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE))
        ;
    fflush(stdout);
    __atomic_clear(&busy, __ATOMIC_RELEASE);
    return thread;
}

// expect: section 30 33 lock=busy scope=singleton
// expect: finding blocking high 32 object=fflush
