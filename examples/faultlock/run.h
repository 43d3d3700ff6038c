// One run: workers empty the pool, each holding the lock once a slot.
#ifndef FAULTLOCK_RUN_H
#define FAULTLOCK_RUN_H

#include "histogram.h"
#include "take.h"

enum prefault { PREFAULT_NO, PREFAULT_PARENT, PREFAULT_WORKER };

struct run_options {
    enum page_kind page;
    enum prefault prefault;
    bool touch_before; // read the head's slot before taking the lock
    const struct lock_kind *lock;
    bool threads; // else processes
    int workers;
    int operations;    // slots in the pool; all are taken
    unsigned think_ns; // work outside the lock, between two operations
    unsigned seed;
};

struct run_result {
    struct histogram hold, wait; // of all workers
    double seconds;              // from the first worker's start to the last one's end
    uint64_t operations;
    uint64_t minor_faults, major_faults; // of the workers, while they took slots
    uint64_t sleeps;                     // of the back-off lock
    uint64_t voluntary_switches, involuntary_switches;
    double cpu_seconds;
    const char *page_used; // see pool_page_used()
};

// False after a message on stderr.
bool run(const struct run_options *options, struct run_result *result);

#endif
