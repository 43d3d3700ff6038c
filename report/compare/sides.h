// The runs of both sides, described by dimensions: benchmark, machine, page size, and every tag.
#ifndef SPINFAULT_REPORT_SIDES_H
#define SPINFAULT_REPORT_SIDES_H

#include "spinfault/compare.h"

enum dimension_use {
    DIMENSION_KEY,     // both sides share values: those with the same value are compared
    DIMENSION_ASKED,   // a condition names it: it is what is being compared
    DIMENSION_DIFFERS, // no value is on both sides, though nobody asked for it
};

struct dimension {
    const char *name; // lent
    bool plain;       // its values say what they are: "4K", not "page=4K"
    enum dimension_use use;
    bool constant; // one value on both sides, so that it tells nothing
    bool tells;    // it is part of a cell's name
};

// A run with its value of one metric.
struct side_run {
    const struct run_row *row;
    const struct metric_row *metric;
    const char *study;   // publication the number comes from, or NULL: measured here
    const char **values; // of each dimension; "" is "not set"
    bool fresh;
};

struct sides {
    GArray *dimensions; // of struct dimension
    GArray *runs;       // of struct side_run, base first, each side by run
    GStringChunk *text;
    GPtrArray *kept; // what the runs' values lie in
};

// `base` and `fresh`: GPtrArrays of struct run_row; `metrics`: of struct metric_row, of both. What
// they hold is lent. `conditions`: all that were asked of either side. An empty `fresh` is no side:
// every dimension that no condition names is then a key.
struct sides *sides_new(const GPtrArray *base, const GPtrArray *fresh, const GPtrArray *metrics,
                        const char *metric, const GPtrArray *conditions);
void sides_free(struct sides *sides);

#endif
