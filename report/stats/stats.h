// The statistics of the report, as pure functions of arrays of doubles. Nothing here allocates what
// it does not free, changes its input, or knows of runs and pages.
//
// The unit everywhere is one independent run. `ratio` is new ÷ base. What cannot be computed is
// NAN, and a function that returns bool says so with false.
#ifndef SPINFAULT_REPORT_STATS_H
#define SPINFAULT_REPORT_STATS_H

#include <stdbool.h>
#include <stddef.h>

// ---- One sample. `x` in any order; n may be 0 (the result is NAN).

double stats_mean(const double *x, size_t n);
double stats_sd(const double *x, size_t n); // n − 1 in the denominator; NAN below n = 2
double stats_median(const double *x, size_t n);
double stats_mad(const double *x, size_t n); // median |x − median|, not scaled
// Type 7 of Hyndman and Fan (1996), the default of R and NumPy. 0 ≤ q ≤ 1.
double stats_quantile(const double *x, size_t n, double q);

struct interval {
    double lo, hi;
    double level;    // reached, which may be above or below what was asked for
    size_t k;        // the order statistics used: the k-th smallest and the k-th largest
    bool achievable; // whether the asked level could be reached at all
};
// Symmetric order-statistic interval of the median (David and Nagaraja, Order Statistics, 7.1): the
// k-th smallest and k-th largest value, k the largest with at least `level`. False below n = 6 for
// 95 %: no pair of order statistics covers that much.
bool stats_median_interval(const double *x, size_t n, double level, struct interval *result);

// ---- Two samples.

struct rank_test {
    double u;                 // pairs with new > base, and half of those that are equal
    double p;                 // two-sided; 1 when every value is equal
    double p_greater, p_less; // one-sided: new is larger, smaller; NAN unless exact
    double p_distance;        // P(|W − E| ≥ |w − E|): differs from `p` with ties only
    double p_normal;          // the approximation
    double p_least;           // the smallest p that m and n without ties could have given
    bool exact;               // false: normal approximation with tie and continuity correction
    bool ties;
};
// Mann–Whitney. The exact p is conditional on the ties: the distribution of the rank sum over all
// assignments of the observed midranks, counted by dynamic programming on doubled ranks (Streitberg
// and Röhmel 1986); p = 2·min(P(W ≤ w), P(W ≥ w)), at most 1. Exact up to m + n = 120.
bool stats_rank_test(const double *base, size_t m, const double *fresh, size_t n,
                     struct rank_test *result);
double stats_least_p(size_t m, size_t n); // 2 ÷ C(m + n, m), at most 1
// Cliff's delta: P(new > base) − P(new < base).
double stats_cliffs_delta(const double *base, size_t m, const double *fresh, size_t n);

// Hodges–Lehmann estimate: the median of all differences new − base, with the exact interval from
// the distribution of U (Hollander and Wolfe, 4.2). When even the full range of the differences
// does not reach `level`, that range is given and `achievable` is false.
struct shift {
    double value;
    struct interval interval;
};
bool stats_shift(const double *base, size_t m, const double *fresh, size_t n, double level,
                 struct shift *result);

struct ratio {
    double value;
    struct interval interval; // of the ratio
    double p;                 // NAN where the method has none
};
// The same on logarithms, as a ratio. False when a value is not positive.
bool stats_ratio(const double *base, size_t m, const double *fresh, size_t n, double level,
                 struct ratio *result);

// Logarithms; the caller's. NULL when a value is not positive and finite.
double *stats_logs(const double *x, size_t n);

// Welch's t test of the difference of means, and its interval (Welch 1947). False when neither side
// varies or one has fewer than two values.
struct t_test {
    double difference, t, df, p;
    double lo, hi;
};
bool stats_welch(const double *base, size_t m, const double *fresh, size_t n, double level,
                 struct t_test *result);
// Student's t test of the mean of paired differences.
bool stats_paired_t(const double *base, const double *fresh, size_t n, double level,
                    struct t_test *result);

// Runs that were interleaved: base[i] and fresh[i] belong together. Works on logarithms.
struct signed_rank {
    double v;                 // sum of the ranks of positive differences
    size_t pairs;             // with a difference; those without are left out, as Wilcoxon did
    double p;                 // two-sided, exact and conditional on ties up to 120 pairs
    double p_sign;            // of the sign test
    double p_least;           // the smallest p that so many pairs could have given
    double ratio;             // exp of the median of the Walsh averages
    struct interval interval; // of the ratio, exact (Hollander and Wolfe, 3.2); see stats_shift
};
// Wilcoxon's signed-rank test. False when a value is not positive or n = 0.
bool stats_signed_rank(const double *base, const double *fresh, size_t n, double level,
                       struct signed_rank *result);

// ---- Oddities. Nothing is ever removed for them.

struct outliers {
    size_t mild;     // beyond 1.5 times the quartile distance from the quartiles (Tukey 1977)
    size_t severe;   // of them: beyond 3 times
    double farthest; // largest |x − median| ÷ (1.4826 MAD); NAN when the MAD is 0
};
// `flags`, unless NULL, gets 0, 1 (mild) or 2 (severe) for each value.
struct outliers stats_outliers(const double *x, size_t n, unsigned char *flags);

// How far apart two sets of runs of the very same thing are: the 95 % quantile of |log ratio| over
// A/A pairs, as a share (0.02 is 2 %). A change smaller than that is not seen for noise, whatever
// its p says. NAN without pairs.
double stats_noise_floor(const double *aa_ratios, size_t n);

// Standard deviation of logarithms, pooled over the cells of a grid: what small samples share.
struct pool {
    double sum_squares;
    size_t df;
    double sum_fourths, expected_fourths, weight; // for the kurtosis: see pooled.c
};
bool stats_pool_add(struct pool *pool, const double *x, size_t n); // false: a value is not positive
double stats_pool_sd(const struct pool *pool);
// Excess kurtosis of one run's logarithm, 0 where it is less than that of the normal distribution.
double stats_pool_kurtosis(const struct pool *pool);
// Ratio of geometric means with a t interval and p from the pooled standard deviation.
bool stats_pooled_ratio(const struct pool *pool, const double *base, size_t m, const double *fresh,
                        size_t n, double level, struct ratio *result);
// The same p for runs with heavy tails: t with so many degrees of freedom that its kurtosis is that
// of the difference of means, and fewer for a deviation that wild runs make uncertain. Student's
// own p takes normal runs for granted, which shows at the small levels that many comparisons need.
double stats_pooled_p_tails(const struct pool *pool, const double *base, size_t m,
                            const double *fresh, size_t n);

// ---- Many comparisons.

// Holm (1979): adjusted p in `adjusted`, in the order of `p`. NAN stays NAN and does not count.
void stats_holm(const double *p, size_t n, double *adjusted);
// The same for Bonferroni, and for Benjamini and Hochberg (1995), which bounds the share of false
// ones among what is called a difference instead of the chance of any.
void stats_bonferroni(const double *p, size_t n, double *adjusted);
void stats_benjamini_hochberg(const double *p, size_t n, double *adjusted);

struct geomean {
    double value;
    double sd;     // geometric
    double lo, hi; // t interval on logarithms
    double p;      // of a ratio of 1
    double min, max;
};
// Geometric mean of ratios over matched cells. False when one is not positive; sd, interval and p
// are NAN for n = 1.
bool stats_geomean(const double *ratios, size_t n, double level, struct geomean *result);

// Smallest n such that n runs against n can give p < alpha in the rank test after Holm over
// `comparisons`.
size_t stats_runs_needed(double alpha, size_t comparisons);

// ---- Distributions.

double stats_t_tail(double t, double df);     // P(|T| ≥ |t|)
double stats_t_quantile(double p, double df); // of the lower tail, 0 < p < 1
double stats_normal_tail(double z);           // P(|Z| ≥ |z|)
double stats_normal_quantile(double p);

#endif
