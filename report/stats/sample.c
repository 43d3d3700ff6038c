// One sample: centre, spread, quantiles, the interval of the median.
#include "stats/stats.h"

#include "array.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double *sorted(const double *x, size_t n)
{
    double *copy = ARRAY_NEW(double, n);
    memcpy(copy, x, n * sizeof *x);
    qsort(copy, n, sizeof *copy, compare_doubles);
    return copy;
}

double stats_mean(const double *x, size_t n)
{
    if (n == 0)
        return NAN;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    double mean = sum / (double)n;
    // A second pass takes out what rounding lost in the first.
    double rest = 0;
    for (size_t i = 0; i < n; i++)
        rest += x[i] - mean;
    return mean + rest / (double)n;
}

double stats_sd(const double *x, size_t n)
{
    if (n < 2)
        return NAN;
    double mean = stats_mean(x, n), largest = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i] - mean));
    if (!(largest > 0 && largest < INFINITY))
        return isnan(mean) ? NAN : largest;
    // Squares of very large or small distances leave the range of a double. A power of two divides
    // without rounding.
    double scale = ldexp(1, ilogb(largest));
    for (size_t i = 0; i < n; i++) {
        double distance = (x[i] - mean) / scale;
        squares += distance * distance;
    }
    return scale * sqrt(squares / (double)(n - 1));
}

static double sorted_quantile(const double *s, size_t n, double q)
{
    double h = (double)(n - 1) * q;
    size_t low = (size_t)floor(h);
    if (low + 1 >= n)
        return s[n - 1];
    return s[low] + (h - (double)low) * (s[low + 1] - s[low]);
}

double stats_quantile(const double *x, size_t n, double q)
{
    if (n == 0 || !(q >= 0 && q <= 1))
        return NAN;
    g_autofree double *s = sorted(x, n);
    return sorted_quantile(s, n, q);
}

double stats_median(const double *x, size_t n)
{
    if (n == 0)
        return NAN;
    g_autofree double *s = sorted(x, n);
    return n % 2 ? s[n / 2] : (s[n / 2 - 1] + s[n / 2]) / 2;
}

double stats_mad(const double *x, size_t n)
{
    if (n == 0)
        return NAN;
    double median = stats_median(x, n);
    g_autofree double *distance = ARRAY_NEW(double, n);
    for (size_t i = 0; i < n; i++)
        distance[i] = fabs(x[i] - median);
    return stats_median(distance, n);
}

// P(X ≤ k) of a binomial with probability one half.
static double binomial_half_cdf(size_t k, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i <= k && i <= n; i++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) -
                   (double)n * G_LN2);
    return sum;
}

bool stats_median_interval(const double *x, size_t n, double level, struct interval *result)
{
    double tail = (1 - level) / 2;
    size_t k = 0;
    while (k < (n + 1) / 2 && binomial_half_cdf(k, n) <= tail)
        k++;
    if (k == 0)
        return false;
    g_autofree double *s = sorted(x, n);
    result->lo = s[k - 1];
    result->hi = s[n - k];
    result->k = k;
    result->level = 1 - 2 * binomial_half_cdf(k - 1, n);
    result->achievable = true;
    return true;
}
