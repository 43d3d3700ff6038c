// Statistics of values in time: where a level changes, and where it has settled. Pure functions, as
// in stats.h.
#ifndef SPINFAULT_REPORT_SERIES_H
#define SPINFAULT_REPORT_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A random sequence that is the same on every machine: SplitMix64 (Steele, Lea and Flood 2014).
struct random {
    uint64_t state; // the seed
};
uint64_t random_next(struct random *random);
size_t random_below(struct random *random, size_t n); // 0 … n − 1, n > 0, without bias
double random_unit(struct random *random);            // 0 ≤ x < 1
void random_shuffle(struct random *random, unsigned *x, size_t n);

// ---- Changes of level: E-divisive (Matteson and James 2014) with a permutation test.
//
// The energy distance between the two sides of a split, over all splits of all segments; the
// largest is tested against what it is when the values within each segment are shuffled; if it
// stands, the segment is split, and so on. p = (1 + permutations that reach it) ÷ (1 +
// permutations). No shape of the distribution is assumed, and a lone outlier is no change.

struct change_options {
    size_t least;        // values a segment has at least; 5
    size_t permutations; // 299
    double alpha;        // 0.01
    uint64_t seed;
};
extern const struct change_options change_defaults;

struct change {
    size_t at; // the first value of the new level
    double p;
    double before, after; // medians of the two segments
    double ratio;         // Hodges–Lehmann, after ÷ before; NAN when a value is not positive
    double lo, hi;        // its 95 % interval; the split was chosen, so it is a little too narrow
    bool provisional;     // fewer than `least` values after it: more may undo it
};

// At most `most` changes, by place; returns how many. Works on logarithms when all values are
// positive. The last changes may be provisional: the tail is tested by itself, for splits that
// leave 2 … least − 1 values. `x` holds no NAN.
size_t stats_changes(const double *x, size_t n, const struct change_options *options,
                     struct change *changes, size_t most);

// ---- The same as Apache Otava (Hunter; Fleming et al. 2023) computes it, for those who compare.
//
// Windows of 50 that move by half, in each the split that maximises the statistic over both ends,
// Student's t test at ten times `alpha` (weak points); then bottom-up merging until every point has
// p < alpha and a change above `least_change`. It uses the population deviation where t needs the
// sample's, and takes a segment of one value: p is too small for short segments, and a lone outlier
// at the tip is reported; a point whose right neighbour is merged away keeps its old figures.
// Missing values (NAN) take the value before them.

struct otava_options {
    size_t window;       // 50
    double alpha;        // 0.001
    double least_change; // 0: any
};
extern const struct otava_options otava_defaults;

struct otava_point {
    size_t at;
    double statistic; // Q̂
    double mean_before, mean_after;
    double sd_before, sd_after; // population
    double p;
    double change, magnitude; // after ÷ before − 1; the larger of both directions
};
struct otava_point *otava_weak(const double *x, size_t n, const struct otava_options *options,
                               size_t *count); // the caller's
struct otava_point *otava_changes(const double *x, size_t n, const struct otava_options *options,
                                  size_t *count); // the caller's

// ---- Warm-up: how many values at the beginning to leave out.
//
// MSER-5 (White 1997): means of five values; the cut minimises the standard error of what is left,
// among cuts in the first half. It is reported only if the values before it differ from those after
// it with p < 0.01 in the rank test. 0: settled from the start; n: not settled at all (the best cut
// is the last one looked at).
size_t stats_warm_up(const double *x, size_t n);
#define WARM_UP_LEAST 20u // values; of fewer it says nothing

#endif
