// Hodges–Lehmann: the median of all differences between two samples, and its exact interval, which
// comes from the distribution of U.
#include "stats/stats.h"

#include "array.h"
#include "stats/counting.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The largest k whose interval (k-th smallest to k-th largest difference) still has `level`, and
// the level it has. k = 0 is "none has": the level is then that of the full range.
static size_t difference_rank(size_t m, size_t n, double level, double *reached)
{
    double tail = (1 - level) / 2;
    size_t total = m + n;
    if (total > COUNT_TWO_MOST) {
        double mm = (double)m, nn = (double)n;
        double sd = sqrt(mm * nn * (mm + nn + 1) / 12);
        *reached = level;
        return (size_t)fmax(1, floor(mm * nn / 2 + stats_normal_quantile(tail) * sd));
    }
    size_t size, first = n * (n + 1) / 2;
    const double *shares = count_untied_sums(total, n, &size);
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

struct two {
    const double *a, *b; // ascending
    size_t m, n;
};

// Pairs with b[j] − a[i] ≤ limit: one pass over the border is enough.
static size_t pairs_within(const void *data, double limit)
{
    const struct two *two = data;
    size_t count = 0, i = 0;
    for (size_t j = 0; j < two->n; j++) {
        while (i < two->m && two->b[j] - two->a[i] > limit)
            i++;
        count += two->m - i;
    }
    return count;
}

// The k-th smallest (from 1) of all b[j] − a[i], without making them all.
static double difference_at(const struct two *two, size_t k)
{
    return count_kth(pairs_within, two, two->b[0] - two->a[two->m - 1],
                     two->b[two->n - 1] - two->a[0], k);
}

static double *sorted(const double *x, size_t n)
{
    double *copy = ARRAY_NEW(double, n);
    memcpy(copy, x, n * sizeof *x);
    qsort(copy, n, sizeof *copy, compare_doubles);
    return copy;
}

bool stats_shift(const double *base, size_t m, const double *fresh, size_t n, double level,
                 struct shift *result)
{
    if (m == 0 || n == 0)
        return false;
    g_autofree double *a = sorted(base, m);
    g_autofree double *b = sorted(fresh, n);
    const struct two two = {a, b, m, n};
    size_t count = m * n;
    double reached;
    size_t k = difference_rank(m, n, level, &reached);
    result->interval.achievable = k > 0;
    k = k ? k : 1;
    double middle = difference_at(&two, (count + 1) / 2);
    if (count % 2 == 0)
        middle = (middle + difference_at(&two, count / 2 + 1)) / 2;
    result->value = middle;
    result->interval.lo = difference_at(&two, k);
    result->interval.hi = difference_at(&two, count + 1 - k);
    result->interval.k = k;
    result->interval.level = reached;
    return true;
}

bool stats_ratio(const double *base, size_t m, const double *fresh, size_t n, double level,
                 struct ratio *result)
{
    g_autofree double *a = stats_logs(base, m);
    g_autofree double *b = stats_logs(fresh, n);
    struct shift shift;
    if (!a || !b || !stats_shift(a, m, b, n, level, &shift))
        return false;
    result->value = exp(shift.value);
    result->interval = shift.interval;
    result->interval.lo = exp(shift.interval.lo);
    result->interval.hi = exp(shift.interval.hi);
    result->p = NAN;
    return true;
}
