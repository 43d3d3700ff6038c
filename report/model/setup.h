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

// The metric that most points of the grid have: "tps" when there is one, else the most frequent
// with a known direction. NULL when no run has any.
const char *setup_metric(const struct report_model *model);
// GPtrArray of struct setup, in the order of their first runs; frees what it holds.
GPtrArray *setup_split(const struct report_model *model, const char *metric);

#endif
