// Two sets of runs, cell by cell: how much they differ, and how sure that is. docs/statistics.md
// says which method is used with how many runs.
#ifndef SPINFAULT_COMPARE_H
#define SPINFAULT_COMPARE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "spinfault/db.h"

enum verdict { VERDICT_NONE, VERDICT_SLOWER, VERDICT_FASTER, VERDICT_SAME, VERDICT_UNSURE };
const char *verdict_word(enum verdict verdict);   // "slower", "no difference"; "" for none
const char *verdict_symbol(enum verdict verdict); // one character: "▼", "●"

// How a comparison came about: one ratio and nothing else; the deviation pooled over the cells; the
// samples' own ranks; the ranks of pairs of interleaved runs.
enum method { METHOD_RATIO, METHOD_POOLED, METHOD_RANKS, METHOD_PAIRS };
const char *method_name(enum method method); // "none", "pooled-log-sd", "hodges-lehmann-log", …

struct compare_side {
    GPtrArray *set;    // of char *: key, value, key, value, …: what all its runs have in common
    double *values;    // of the runs; of a published number, it alone
    size_t n;          // how many
    bool summary;      // a published number, or one of several runs: it has no spread of its own
    uint64_t stated;   // runs behind a summary; 0: it does not say
    unsigned left_out; // further numbers of the same kind that are not in `values`
};

struct compare_cell {
    char *metric, *unit;
    bool higher_is_better;
    char *label; // what tells it from the other cells: "page=4K"; never NULL
    struct compare_side base, fresh;

    // NAN is "none".
    double ratio, lo, hi, level; // new ÷ base, and the interval's two ends
    bool reached;                // the interval has the level that was asked for
    double u, p, p_holm, delta;
    enum method method;
    bool size_only; // a published number is among them: judged by the size of the ratio alone
    enum verdict verdict;
    size_t needs; // runs a side that would settle it, COMPARE_NEEDS_MOST at most; 0: it is settled
};

// A cell that one side does not have.
struct compare_gap {
    char *metric, *label;
    bool in_base; // the side that has it
    size_t n;     // runs it has there
};

struct compare_mean {
    char *metric;
    unsigned cells;
    double ratio, lo, hi, least, most; // geometric mean of the ratios, its 95 % interval
};

struct compare_result {
    GPtrArray *cells;  // of struct compare_cell
    GPtrArray *gaps;   // of struct compare_gap
    GPtrArray *means;  // of struct compare_mean, for metrics with two cells and more
    GPtrArray *differ; // of char *: "kernel: 6.12 | 7.0", what differs without being asked for
    GPtrArray *warm;   // of char *: sentences about runs that look like a warm-up
    double threshold, noise, margin; // shares; noise: the A/A noise floor, NAN unknown
    unsigned slower, faster, same, unsure;
};
void compare_free(struct compare_result *result); // accepts NULL
// "pass", "fail" (a cell is slower), "unsure" (some are, or are missing).
const char *compare_gate(const struct compare_result *result);

#define COMPARE_THRESHOLD  0.05
#define COMPARE_NEEDS_MOST 1000u

struct compare_options {
    const char *const *base, *const *fresh; // conditions that runs of a side meet
    const char *const *where;               // conditions on both; or NULL
    int64_t since_ns;                       // INT64_MIN: from the beginning
    const char *const *metrics; // names; NULL: the one most runs have; "all": every one that has a
                                // better direction
    double threshold;
};
// Errors: NOT_FOUND (no run on a side, no such metric), USAGE (a run on both sides), and those of
// the archive.
struct compare_result *compare_runs(struct archive *archive, const struct compare_options *options,
                                    GError **error);

struct compare_values {
    const char *base, *fresh; // files of numbers, one a line; "-" is standard input
    bool paired;              // line i of one belongs to line i of the other
    bool lower_is_better;
    double threshold;
};
// Errors: IO, DAMAGED (with file and line), USAGE (`paired` with files of different length).
struct compare_result *compare_files(const struct compare_values *values, GError **error);

// More about one side, for those who want it all.
struct compare_summary {
    double mean, sd, median, mad, min, max;
    double median_lo, median_hi, median_level; // NAN below six runs
    size_t mild, severe;                       // outliers by Tukey's fences; none is left out
};
struct compare_summary compare_summary(const struct compare_side *side);

#endif
