// A sink that counts the facts of a source and hands them on.
#ifndef SPINFAULT_CLI_SINK_COUNT_H
#define SPINFAULT_CLI_SINK_COUNT_H

#include "spinfault/base.h"

struct sink_count {
    struct fact_sink sink;
    const struct fact_sink *next;
    uint64_t samples, weight, sides, runs, aborted, metrics, points, waits, environment;
    double tps; // of the only run; NAN when there is none, or more
    // Called for each line that was not understood; or NULL.
    void (*skipped)(void *context, const struct skipped_fact *fact);
    void *skipped_context;
};
void sink_count_init(struct sink_count *count, const struct fact_sink *next);
// "285 samples, weight 959,595,855". The caller's.
char *sink_count_text(const struct sink_count *count);

#endif
