// Pairs: Wilcoxon's signed-rank test, the sign test, and the estimate from Walsh averages, the
// means of all pairs of differences, a difference with itself among them.
#include "stats/stats.h"

#include "array.h"
#include "stats/counting.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int compare_sizes(const void *a, const void *b)
{
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

// Differences of logarithms that are equal but for rounding are one value: 1.02 ÷ 1 and 2.04 ÷ 2.
static bool tied(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

// Doubled midranks of |d|, ascending; `d` is put in that order.
static unsigned *doubled_ranks(double *d, size_t n, double *tie_term)
{
    qsort(d, n, sizeof *d, compare_sizes);
    unsigned *ranks = ARRAY_NEW(unsigned, n);
    *tie_term = 0;
    for (size_t i = 0; i < n;) {
        size_t end = i;
        while (end < n && tied(fabs(d[end]), fabs(d[i])))
            end++;
        double t = (double)(end - i);
        *tie_term += t * t * t - t;
        for (size_t j = i; j < end; j++)
            ranks[j] = (unsigned)(i + 1 + end);
        i = end;
    }
    return ranks;
}

static double signed_p(const unsigned *ranks, size_t n, size_t sum, double tie_term)
{
    if (n > COUNT_SIGNED_MOST) {
        double nn = (double)n, mean = nn * (nn + 1) / 4;
        double variance = nn * (nn + 1) * (2 * nn + 1) / 24 - tie_term / 48;
        double distance = fmax(0, fabs((double)sum / 2 - mean) - 0.5);
        return stats_normal_tail(distance / sqrt(variance));
    }
    size_t size;
    double below, above;
    g_autofree double *shares = count_signed_sums(ranks, n, &size);
    count_tails(shares, size, sum, &below, &above);
    return fmin(1, 2 * fmin(below, above));
}

static double sign_p(size_t positive, size_t n)
{
    size_t least = MIN(positive, n - positive);
    double tail = 0;
    for (size_t i = 0; i <= least; i++)
        tail += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) -
                    (double)n * G_LN2);
    return fmin(1, 2 * tail);
}

// The k of the interval from the k-th smallest to the k-th largest Walsh average, with the guard
// against rounding that the interval of two samples has.
static size_t walsh_rank(size_t n, double level, double *reached)
{
    double tail = (1 - level) / 2, nn = (double)n;
    if (n > COUNT_SIGNED_MOST) {
        double sd = sqrt(nn * (nn + 1) * (2 * nn + 1) / 24);
        *reached = level;
        return (size_t)fmax(1, floor(nn * (nn + 1) / 4 + stats_normal_quantile(tail) * sd));
    }
    g_autofree unsigned *ranks = ARRAY_NEW(unsigned, n);
    for (size_t i = 0; i < n; i++)
        ranks[i] = (unsigned)(i + 1);
    size_t size, k = 0;
    g_autofree double *shares = count_signed_sums(ranks, n, &size);
    double below = 0;
    while (below + shares[k] < tail * (1 - 64 * 2.220446e-16))
        below += shares[k++];
    *reached = 1 - 2 * (k ? below : shares[0]);
    return k;
}

struct one {
    const double *d; // ascending
    size_t n;
};

// Walsh averages ≤ limit.
static size_t averages_within(const void *data, double limit)
{
    const struct one *one = data;
    size_t count = 0, top = one->n;
    for (size_t i = 0; i < one->n; i++) {
        while (top > 0 && (one->d[i] + one->d[top - 1]) / 2 > limit)
            top--;
        count += top > i ? top - i : 0; // those with j ≥ i
    }
    return count;
}

static double walsh_at(const struct one *one, size_t k)
{
    return count_kth(averages_within, one, one->d[0], one->d[one->n - 1], k);
}

static void estimate(double *d, size_t n, double level, struct signed_rank *result)
{
    qsort(d, n, sizeof *d, compare_doubles);
    const struct one one = {d, n};
    size_t count = n * (n + 1) / 2;
    struct interval *interval = &result->interval;
    size_t k = walsh_rank(n, level, &interval->level);
    interval->achievable = k > 0;
    interval->k = k ? k : 1;
    interval->lo = exp(walsh_at(&one, interval->k));
    interval->hi = exp(walsh_at(&one, count + 1 - interval->k));
    double middle = walsh_at(&one, (count + 1) / 2);
    if (count % 2 == 0)
        middle = (middle + walsh_at(&one, count / 2 + 1)) / 2;
    result->ratio = exp(middle);
}

bool stats_signed_rank(const double *base, const double *fresh, size_t n, double level,
                       struct signed_rank *result)
{
    g_autofree double *a = stats_logs(base, n);
    g_autofree double *b = stats_logs(fresh, n);
    if (!a || !b || n == 0)
        return false;
    g_autofree double *all = ARRAY_NEW(double, n);
    g_autofree double *d = ARRAY_NEW(double, n);
    size_t pairs = 0, positive = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        all[i] = base[i] == fresh[i] ? 0 : b[i] - a[i];
        if (all[i] != 0)
            d[pairs++] = all[i];
    }
    double tie_term;
    g_autofree unsigned *ranks = doubled_ranks(d, pairs, &tie_term);
    for (size_t i = 0; i < pairs; i++) {
        positive += d[i] > 0;
        sum += d[i] > 0 ? ranks[i] : 0;
    }
    *result = (struct signed_rank){.v = (double)sum / 2,
                                   .pairs = pairs,
                                   .p = pairs ? signed_p(ranks, pairs, sum, tie_term) : 1,
                                   .p_sign = pairs ? sign_p(positive, pairs) : 1,
                                   .p_least = fmin(1, 2 * exp2(-(double)n))};
    estimate(all, n, level, result);
    return true;
}
