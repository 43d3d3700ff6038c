// Rank statistics of two samples. One counting routine serves both: the number of ways to choose m
// of the ranks so that they have a given sum. With midranks of tied data it gives the conditional
// Mann–Whitney test, with the ranks 1 … m + n the distribution of U that the Hodges–Lehmann
// interval needs.
#include "stats/stats.h"

#include "array.h"

#include <glib.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_MOST 120 // m + n up to which counting is done; it costs (m + n)·m·sum of ranks

struct item {
    double value;
    bool fresh;
};

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Doubled midranks of both samples together, ascending; `sum` gets the doubled rank sum of `fresh`
// and `tie_term` the sum of t³ − t over groups of ties.
static unsigned *doubled_ranks(const double *base, size_t m, const double *fresh, size_t n,
                               size_t *sum, double *tie_term)
{
    size_t total = m + n;
    g_autofree struct item *items = ARRAY_NEW(struct item, total);
    for (size_t i = 0; i < m; i++)
        items[i] = (struct item){base[i], false};
    for (size_t i = 0; i < n; i++)
        items[m + i] = (struct item){fresh[i], true};
    qsort(items, total, sizeof *items, compare_items);
    unsigned *ranks = ARRAY_NEW(unsigned, total);
    *sum = 0;
    *tie_term = 0;
    for (size_t i = 0; i < total;) {
        size_t end = i;
        while (end < total && items[end].value == items[i].value)
            end++;
        double t = (double)(end - i);
        *tie_term += t * t * t - t;
        for (size_t j = i; j < end; j++) {
            ranks[j] = (unsigned)(i + 1 + end); // twice the mean of i + 1 … end
            *sum += items[j].fresh ? ranks[j] : 0;
        }
        i = end;
    }
    return ranks;
}

// ways[s]: the share of all choices of `pick` of the ranks whose sum is s; length `*size`.
static double *rank_sum_shares(const unsigned *ranks, size_t total, size_t pick, size_t *size)
{
    size_t most = 0;
    for (size_t i = total - pick; i < total; i++)
        most += ranks[i]; // ranks ascend
    *size = most + 1;
    double *ways = g_new0(double, (pick + 1) * *size);
    ways[0] = 1;
    for (size_t i = 0; i < total; i++) {
        size_t top = i + 1 < pick ? i + 1 : pick;
        for (size_t c = top; c >= 1; c--) {
            double *to = ways + c * *size;
            const double *from = ways + (c - 1) * *size;
            for (size_t s = *size; s-- > ranks[i];)
                to[s] += from[s - ranks[i]];
        }
    }
    double all = 0;
    double *last = ARRAY_NEW(double, *size);
    for (size_t s = 0; s < *size; s++)
        all += last[s] = ways[pick * *size + s];
    for (size_t s = 0; s < *size; s++)
        last[s] /= all;
    g_free(ways);
    return last;
}

static double least_p(size_t m, size_t n)
{
    double choose =
        exp(lgamma((double)(m + n) + 1) - lgamma((double)m + 1) - lgamma((double)n + 1));
    return fmin(1, 2 / round(choose));
}

static double normal_p(double u, size_t m, size_t n, double tie_term)
{
    double mm = (double)m, nn = (double)n, total = mm + nn;
    double variance = mm * nn / 12 * (total + 1 - tie_term / (total * (total - 1)));
    if (variance <= 0)
        return 1;
    double distance = fmax(0, fabs(u - mm * nn / 2) - 0.5);
    return stats_normal_tail(distance / sqrt(variance));
}

bool stats_rank_test(const double *base, size_t m, const double *fresh, size_t n,
                     struct rank_test *result)
{
    if (m == 0 || n == 0)
        return false;
    size_t sum;
    double tie_term;
    g_autofree unsigned *ranks = doubled_ranks(base, m, fresh, n, &sum, &tie_term);
    result->u = (double)sum / 2 - (double)n * (double)(n + 1) / 2;
    result->ties = tie_term > 0;
    result->p_least = least_p(m, n);
    result->exact = m + n <= EXACT_MOST;
    if (!result->exact) {
        result->p = normal_p(result->u, m, n, tie_term);
        return true;
    }
    size_t size;
    g_autofree double *shares = rank_sum_shares(ranks, m + n, n, &size);
    double below = 0, above = 0;
    for (size_t s = 0; s < size; s++) {
        if (s <= sum)
            below += shares[s];
        if (s >= sum)
            above += shares[s];
    }
    result->p = fmin(1, 2 * fmin(below, above));
    return true;
}

double stats_cliffs_delta(const double *base, size_t m, const double *fresh, size_t n)
{
    if (m == 0 || n == 0)
        return NAN;
    size_t sum;
    double tie_term;
    g_free(doubled_ranks(base, m, fresh, n, &sum, &tie_term));
    double u = (double)sum / 2 - (double)n * (double)(n + 1) / 2;
    return 2 * u / ((double)m * (double)n) - 1;
}

// The largest k whose interval (k-th smallest to k-th largest difference) still has `level`, and
// the level it has. k = 0 is "none has": the level is then that of the full range.
static size_t difference_rank(size_t m, size_t n, double level, double *reached)
{
    double tail = (1 - level) / 2;
    size_t total = m + n;
    if (total > EXACT_MOST) {
        double mm = (double)m, nn = (double)n;
        double sd = sqrt(mm * nn * (mm + nn + 1) / 12);
        *reached = level;
        return (size_t)fmax(1, floor(mm * nn / 2 + stats_normal_quantile(tail) * sd));
    }
    g_autofree unsigned *ranks = ARRAY_NEW(unsigned, total);
    for (size_t i = 0; i < total; i++)
        ranks[i] = (unsigned)(i + 1);
    size_t size, first = n * (n + 1) / 2;
    g_autofree double *shares = rank_sum_shares(ranks, total, n, &size);
    size_t k = 0;
    double below = 0; // P(U < k)
    // The same guard against rounding as R's qwilcox: P(U ≤ k) counts as the tail when it equals
    // it.
    while (below + shares[first + k] < tail * (1 - 64 * 2.220446e-16)) {
        below += shares[first + k];
        k++;
    }
    *reached = 1 - 2 * (k ? below : shares[first]);
    return k;
}

// Doubles in their order as integers, so that bisection ends exactly on one of them.
static int64_t ordinal(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static double of_ordinal(int64_t o)
{
    int64_t bits = o < 0 ? INT64_MIN - o : o;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Pairs with b[j] − a[i] ≤ limit; both ascending, so that one pass over the border is enough.
static size_t pairs_within(const double *a, size_t m, const double *b, size_t n, double limit)
{
    size_t count = 0, i = 0;
    for (size_t j = 0; j < n; j++) {
        while (i < m && b[j] - a[i] > limit)
            i++;
        count += m - i;
    }
    return count;
}

// The k-th smallest (from 1) of all b[j] − a[i], without making them all: bisection on the value.
static double difference_at(const double *a, size_t m, const double *b, size_t n, size_t k)
{
    int64_t low = ordinal(b[0] - a[m - 1]), high = ordinal(b[n - 1] - a[0]);
    while (low < high) {
        int64_t middle = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
        if (pairs_within(a, m, b, n, of_ordinal(middle)) >= k)
            high = middle;
        else
            low = middle + 1;
    }
    return of_ordinal(low);
}

static double *sorted_logs(const double *x, size_t n)
{
    double *logs = ARRAY_NEW(double, n);
    for (size_t i = 0; i < n; i++)
        logs[i] = x[i] > 0 ? log(x[i]) : NAN;
    qsort(logs, n, sizeof *logs, compare_doubles);
    return logs;
}

static bool all_positive(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(x[i] > 0 && x[i] < INFINITY))
            return false;
    return true;
}

bool stats_ratio(const double *base, size_t m, const double *fresh, size_t n, double level,
                 struct ratio *result)
{
    if (m == 0 || n == 0 || !all_positive(base, m) || !all_positive(fresh, n))
        return false;
    g_autofree double *a = sorted_logs(base, m);
    g_autofree double *b = sorted_logs(fresh, n);
    size_t count = m * n;
    double reached;
    size_t k = difference_rank(m, n, level, &reached);
    result->interval.achievable = k > 0;
    k = k ? k : 1;
    double middle = difference_at(a, m, b, n, (count + 1) / 2);
    if (count % 2 == 0)
        middle = (middle + difference_at(a, m, b, n, count / 2 + 1)) / 2;
    result->value = exp(middle);
    result->interval.lo = exp(difference_at(a, m, b, n, k));
    result->interval.hi = exp(difference_at(a, m, b, n, count + 1 - k));
    result->interval.k = k;
    result->interval.level = reached;
    result->p = NAN;
    return true;
}
