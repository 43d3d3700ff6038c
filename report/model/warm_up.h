// Runs that were measured before they had settled. It is said, and nothing is left out for it.
#ifndef SPINFAULT_REPORT_WARM_UP_H
#define SPINFAULT_REPORT_WARM_UP_H

#include <stdbool.h>
#include <stdint.h>

#include "spinfault/db.h"

struct warm_up {
    unsigned runs;          // with a series of the metric that is long enough to say
    unsigned warm;          // of them: begin at another level than they go on
    unsigned restless;      // of them: had not settled in the first half
    double least_s, most_s; // how long it took, of `warm`
};

// Looks at the series of a metric in a run, if it has one; at WARM_UP_RUNS runs at most.
bool warm_up_add(struct warm_up *w, struct archive *archive, int64_t run_id, const char *metric,
                 GError **error);
#define WARM_UP_RUNS 500u

// "3 of 5 runs with a time series …", a sentence; NULL when there is nothing to say. The caller's.
char *warm_up_text(const struct warm_up *w);

// The same of runs one after the other: "the first 5 of 25 runs of the base differ …"; or NULL.
char *warm_up_order_text(const double *values, size_t n, const char *what);

#endif
