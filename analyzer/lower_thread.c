// See lower_thread.h.
#include "lower_thread.h"

#include <errno.h>
#include <time.h>

#include "spinfault/base.h"

#define STACK_BYTES ((size_t)256 << 20) // what the stack does not use is never mapped

static gint crashed;

void lower_note_crash(void)
{
    g_atomic_int_set(&crashed, 1);
}

// CPU time a thread has used, in ns; -1 when it can't be told.
static gint64 cpu_time(pthread_t thread)
{
    clockid_t clock;
    struct timespec used;
    if (pthread_getcpuclockid(thread, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return -1;
    return used.tv_sec * G_GINT64_CONSTANT(1000000000) + used.tv_nsec;
}

bool lower_wait(pthread_t thread, unsigned stuck_seconds, const gint *doubtful)
{
    gint64 used = 0;
    unsigned still = 0;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    for (;;) {
        until.tv_sec++;
        if (pthread_timedjoin_np(thread, NULL, &until) != ETIMEDOUT)
            return true;
        gint64 now = cpu_time(thread);
        still = now == used ? still + 1 : 0;
        used = now;
        if (g_atomic_int_get(doubtful) && still >= stuck_seconds) {
            pthread_detach(thread);
            return false;
        }
    }
}

bool lower_run(void *(*run)(void *), void *data)
{
    pthread_t thread;
    pthread_attr_t attributes;
    bool ok = true;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    if (pthread_create(&thread, &attributes, run, data) == 0)
        ok = lower_wait(thread, LIMIT_STUCK_SECONDS, &crashed);
    else
        run(data);
    pthread_attr_destroy(&attributes);
    return ok;
}
