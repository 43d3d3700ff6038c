// Which numbers may stand in one grid, and which of them a cell shows.
#ifndef SPINFAULT_REPORT_SETUP_H
#define SPINFAULT_REPORT_SETUP_H

#include "model/model.h"

// A run with the value of the metric the grids are of.
struct point {
    const struct run_row *run;
    const struct metric_row *metric;
    const char *study; // publication the number comes from, or NULL: measured here
};

// Everything that has to be equal for two numbers to differ only by page size and preemption mode.
struct setup {
    char *key;
    GArray *points; // of struct point, by run
};

// A value that may be compared: measured or published, not claimed or derived.
bool setup_usable(const struct metric_row *metric);
// The publication a number comes from, lent by the run; NULL: measured here.
const char *setup_study(const struct run_row *run, const struct metric_row *metric);
// Names of the tags that tell setups apart, in order, lent by the runs (GPtrArray of struct
// run_row): not page size and preemption, not which repetition it is, not what differs in most
// runs.
GPtrArray *setup_tags(const GPtrArray *runs);

// The metric that most points of the grid have: "tps" when there is one, else the most frequent
// with a known direction, and of equals a throughput. NULL when no run has any.
const char *setup_metric(const struct report_model *model);
// The same of metrics (of struct metric_row) alone.
const char *setup_main_metric(const GPtrArray *metrics);
// Names of metrics, lent: those asked for, or with "all" every one of which is known what is
// better, or with NULL the main one. Errors: NOT_FOUND.
GPtrArray *setup_metrics(const GPtrArray *metrics, const char *const *asked, GError **error);
// GPtrArray of struct setup, in the order of their first runs; frees what it holds.
GPtrArray *setup_split(const struct report_model *model, const char *metric);

#endif
