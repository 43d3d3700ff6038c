// Counting behind the exact rank statistics, by dynamic programming on doubled ranks, which are
// whole numbers also for ties (Streitberg and Röhmel 1986). Arrays are the caller's.
#ifndef SPINFAULT_REPORT_COUNTING_H
#define SPINFAULT_REPORT_COUNTING_H

#include <stdbool.h>
#include <stddef.h>

#define COUNT_TWO_MOST    120 // m + n up to which two samples are counted
#define COUNT_SIGNED_MOST 120 // pairs up to which signs are

// Doubled midranks of both samples together, ascending; `sum` gets the doubled rank sum of `fresh`
// and `tie_term` the sum of t³ − t over groups of ties.
unsigned *count_doubled_ranks(const double *base, size_t m, const double *fresh, size_t n,
                              size_t *sum, double *tie_term);
// [s]: the share of all choices of `pick` of the ranks (ascending) whose sum is s; length `*size`.
double *count_rank_sums(const unsigned *ranks, size_t total, size_t pick, size_t *size);
// The same of the ranks 1 … total, not doubled. Lent, and kept for the next who asks: a page asks
// for few sizes and many times. There are at most COUNT_TWO_MOST² of them.
const double *count_untied_sums(size_t total, size_t pick, size_t *size);
// [s]: the share of all assignments of signs in which the positive ranks have the sum s.
double *count_signed_sums(const unsigned *ranks, size_t n, size_t *size);
// P(S ≤ sum) and P(S ≥ sum).
void count_tails(const double *shares, size_t size, size_t sum, double *below, double *above);
// The k-th smallest (from 1) of values that are too many to list: `within` says how many of them
// are at most `limit`. Bisection on the value, from the least to the most of them.
double count_kth(size_t (*within)(const void *data, double limit), const void *data, double least,
                 double most, size_t k);

#endif
