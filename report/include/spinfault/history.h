// Series of runs in time, one for each metric and environment, and where their level changes.
#ifndef SPINFAULT_HISTORY_H
#define SPINFAULT_HISTORY_H

#include "spinfault/compare.h"

struct history_point {
    int64_t run_id; // 0: of no run
    int64_t t_ns;   // INT64_MIN unknown
    double value;
    const char *version; // kernel, or commit or version by its tag; NULL unknown
    bool outlier;        // far from its level by Tukey's fences; it stays in everything
};

struct history_change {
    size_t at;            // the first point of the new level
    double before, after; // medians of the levels on both sides
    double ratio, lo, hi; // after ÷ before; NAN unknown
    double p;
    enum verdict verdict; // slower, faster; none: nobody knows which is better
    bool provisional;     // so few points after it that more may undo it
};

struct history_series {
    char *metric, *unit;
    enum better better;
    char *label;    // names it among all series of its metric
    GPtrArray *set; // of char *: key, value, key, value, …
    struct history_point *points;
    size_t n;
    struct history_change *changes;
    size_t n_changes;
    bool timed;      // in the order of starting times; else of ingest
    size_t left_out; // older points that were not looked at
};

enum history_method { HISTORY_ENERGY, HISTORY_OTAVA };

struct history_options {
    const struct run_filter *filter; // or NULL
    const char *const *metrics;      // as of compare_options
    enum history_method method;
    uint64_t seed;
    size_t least; // points a series needs; 0: HISTORY_LEAST
};
#define HISTORY_LEAST 10u
#define HISTORY_SEED  1u

struct history_result {
    GPtrArray *series;  // of struct history_series, by their first runs
    unsigned too_short; // series with fewer points than it takes, which are left out
    GStringChunk *text;
};
void history_free(struct history_result *result); // accepts NULL

// Errors: NOT_FOUND (no run, no such metric), and those of the archive.
struct history_result *history_runs(struct archive *archive, const struct history_options *options,
                                    GError **error);
// One series of the numbers in a file ("-": standard input), one a line.
struct history_result *history_file(const char *path, bool lower_is_better,
                                    const struct history_options *options, GError **error);
// Of rows that are there already (struct run_row and metric_row), for the report.
struct history_result *history_rows(const GPtrArray *runs, const GPtrArray *metrics,
                                    const char *metric, const struct history_options *options);

// "tps of pgbench simple update, 4K". The caller's.
char *history_title(const struct history_series *series);

// What the newest levels amount to: "pass"; "fail" when a series is at a level slower than the one
// before it; "unsure" when that is provisional, or no series is long enough.
const char *history_gate(const struct history_result *result);

// Charts of all series, one below the other, as an SVG file. Errors: those of drawing.
bool history_svg(const struct history_result *result, GString *out, GError **error);

#endif
