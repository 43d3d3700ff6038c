// One comparison of two samples: measured, then judged once all comparisons of its family are
// there.
#ifndef SPINFAULT_REPORT_JUDGE_H
#define SPINFAULT_REPORT_JUDGE_H

#include "spinfault/compare.h"
#include "stats/stats.h"

// NAN and VERDICT_NONE when there is nothing to compare.
struct comparison {
    const struct cell *reference;
    double ratio, lo, hi, level;
    bool reached;                // the interval has the level asked for
    double change_lo, change_hi; // without logarithms: (new − base) ÷ |median of the base|
    double u, p, p_holm, delta;
    double p_ranks;               // of Mann–Whitney, whatever the method
    double p_tails, p_tails_holm; // pooled: for runs with heavy tails
    enum method method;
    enum verdict verdict;
    bool size_only; // published numbers without runs: judged by the size of the ratio alone
    bool mixed;     // the two come from different studies
    size_t needs;   // runs a cell that would settle it; 0 when it is settled
};

struct two_samples {
    const double *base, *fresh;
    size_t m, n;
    const struct pool *pool; // what the cells share; NULL: nothing, ranks have to do
    bool paired;             // base[i] and fresh[i] were run one after the other
    size_t family;           // comparisons that p will be adjusted for
};

// Nothing to compare.
void comparison_clear(struct comparison *c);
// Of published numbers, or the medians of too few runs: a ratio, and nothing else.
void comparison_of_centres(struct comparison *c, double base, double fresh, bool size_only);
// Of runs: which method, depends on how many there are.
void comparison_measure(struct comparison *c, const struct two_samples *samples);
// Whether so few pairs can be told apart at all, with so many comparisons in the family.
bool comparison_can_pair(size_t pairs, size_t comparisons);

// Holm over a family of n comparisons.
void comparisons_adjust(struct comparison *const *family, size_t n);
// Sets verdict and needs. `margin` and `noise` (the deviation of one run) are shares, `family` is
// how many comparisons there are.
void comparison_judge(struct comparison *c, double margin, bool higher_is_better, double noise,
                      size_t family);

// The A/A noise floor: values[i] was measured in sessions[i], those of a session stand together.
// Sessions of at least three runs of the same thing are compared one with the next. Appends ratios
// of medians to `ratios` (of double).
void noise_add(GArray *ratios, const double *values, const int64_t *sessions, size_t n);
#define NOISE_PAIRS 3u // fewer say nothing
double noise_floor(const GArray *ratios);

#endif
