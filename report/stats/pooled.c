// What small samples share, and what many comparisons cost: the pooled standard deviation of
// logarithms, the geometric mean over matched cells, Holm's adjustment.
#include "stats/stats.h"

#include "array.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

double *stats_logs(const double *x, size_t n)
{
    double *logs = ARRAY_NEW(double, n);
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] > 0 && x[i] < INFINITY)) {
            g_free(logs);
            return NULL;
        }
        logs[i] = log(x[i]);
    }
    return logs;
}

// A residual, x minus the mean of its n, is a sum of all n values with coefficients c, so that
// E r⁴ = σ⁴ (κ Σc⁴ + 3 (Σc²)²). The sums over all residuals give κ.
static void add_fourths(struct pool *pool, const double *logs, size_t n)
{
    double mean = stats_mean(logs, n), k = (double)n, others = k - 1;
    for (size_t i = 0; i < n; i++)
        pool->sum_fourths += pow(logs[i] - mean, 4);
    pool->expected_fourths += 3 * others * others / k;       // n (Σc²)² × 3
    pool->weight += (pow(others, 4) + others) / (k * k * k); // n Σc⁴
}

bool stats_pool_add(struct pool *pool, const double *x, size_t n)
{
    if (n < 2)
        return true;
    g_autofree double *logs = stats_logs(x, n);
    if (!logs)
        return false;
    double sd = stats_sd(logs, n);
    pool->sum_squares += sd * sd * (double)(n - 1);
    pool->df += n - 1;
    add_fourths(pool, logs, n);
    return true;
}

double stats_pool_sd(const struct pool *pool)
{
    return pool->df ? sqrt(pool->sum_squares / (double)pool->df) : NAN;
}

double stats_pool_kurtosis(const struct pool *pool)
{
    if (pool->df == 0)
        return NAN;
    double variance = pool->sum_squares / (double)pool->df;
    if (!(variance > 0))
        return 0;
    double fourths = pool->sum_fourths / (variance * variance);
    return fmax(0, (fourths - pool->expected_fourths) / pool->weight);
}

// t with ν degrees of freedom has the excess kurtosis 6 ÷ (ν − 4).
static double df_with_tails(const struct pool *pool, double m, double n)
{
    double kurtosis = stats_pool_kurtosis(pool), spread = 1 / m + 1 / n;
    double of_means = kurtosis * (1 / (m * m * m) + 1 / (n * n * n)) / (spread * spread);
    double of_scale = (double)pool->df * 2 / (2 + kurtosis);
    return of_means > 0 ? 1 / (1 / of_scale + 1 / (4 + 6 / of_means)) : of_scale;
}

double stats_pooled_p_tails(const struct pool *pool, const double *base, size_t m,
                            const double *fresh, size_t n)
{
    struct ratio plain;
    if (!stats_pooled_ratio(pool, base, m, fresh, n, 0.95, &plain))
        return NAN;
    double error = stats_pool_sd(pool) * sqrt(1 / (double)m + 1 / (double)n);
    if (!(error > 0))
        return plain.p;
    return stats_t_tail(log(plain.value) / error, df_with_tails(pool, (double)m, (double)n));
}

bool stats_pooled_ratio(const struct pool *pool, const double *base, size_t m, const double *fresh,
                        size_t n, double level, struct ratio *result)
{
    if (m == 0 || n == 0 || pool->df == 0)
        return false;
    g_autofree double *a = stats_logs(base, m);
    g_autofree double *b = stats_logs(fresh, n);
    if (!a || !b)
        return false;
    double shift = stats_mean(b, n) - stats_mean(a, m), df = (double)pool->df;
    double error = stats_pool_sd(pool) * sqrt(1 / (double)m + 1 / (double)n);
    double reach = stats_t_quantile((1 + level) / 2, df) * error;
    result->value = exp(shift);
    result->interval = (struct interval){exp(shift - reach), exp(shift + reach), level, 0, true};
    if (error > 0)
        result->p = stats_t_tail(shift / error, df);
    else
        result->p = shift == 0 ? 1 : 0;
    return true;
}

bool stats_geomean(const double *ratios, size_t n, double level, struct geomean *result)
{
    if (n == 0)
        return false;
    g_autofree double *logs = stats_logs(ratios, n);
    if (!logs)
        return false;
    double mean = stats_mean(logs, n), sd = stats_sd(logs, n);
    *result = (struct geomean){exp(mean), exp(sd), NAN, NAN, NAN, ratios[0], ratios[0]};
    for (size_t i = 1; i < n; i++) {
        result->min = fmin(result->min, ratios[i]);
        result->max = fmax(result->max, ratios[i]);
    }
    if (n == 1)
        return true;
    double df = (double)(n - 1), error = sd / sqrt((double)n);
    double reach = stats_t_quantile((1 + level) / 2, df) * error;
    result->lo = exp(mean - reach);
    result->hi = exp(mean + reach);
    result->p = error > 0 ? stats_t_tail(mean / error, df) : (mean == 0 ? 1 : 0);
    return true;
}

struct ordered_p {
    double p;
    size_t at;
};

static int compare_p(const void *a, const void *b)
{
    const struct ordered_p *x = a, *y = b;
    if (x->p != y->p)
        return x->p > y->p ? 1 : -1;
    return (x->at > y->at) - (x->at < y->at);
}

// Ascending, without the NANs; `adjusted` is filled with NAN.
static struct ordered_p *in_order(const double *p, size_t n, double *adjusted, size_t *count)
{
    struct ordered_p *order = ARRAY_NEW(struct ordered_p, n ? n : 1);
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        adjusted[i] = NAN;
        if (!isnan(p[i]))
            order[(*count)++] = (struct ordered_p){p[i], i};
    }
    qsort(order, *count, sizeof *order, compare_p);
    return order;
}

void stats_holm(const double *p, size_t n, double *adjusted)
{
    size_t count;
    g_autofree struct ordered_p *order = in_order(p, n, adjusted, &count);
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fmin(1, (double)(count - i) * order[i].p));
        adjusted[order[i].at] = most;
    }
}

void stats_bonferroni(const double *p, size_t n, double *adjusted)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += !isnan(p[i]);
    for (size_t i = 0; i < n; i++)
        adjusted[i] = isnan(p[i]) ? NAN : fmin(1, (double)count * p[i]);
}

void stats_benjamini_hochberg(const double *p, size_t n, double *adjusted)
{
    size_t count;
    g_autofree struct ordered_p *order = in_order(p, n, adjusted, &count);
    double least = 1;
    for (size_t i = count; i-- > 0;) {
        least = fmin(least, (double)count / (double)(i + 1) * order[i].p);
        adjusted[order[i].at] = least;
    }
}

size_t stats_runs_needed(double alpha, size_t comparisons)
{
    double least = 1; // 2 ÷ C(2n, n) for n = 1
    size_t n = 1;
    double times = comparisons ? (double)comparisons : 1;
    while (least * times >= alpha) {
        n++;
        least *= (double)n * (double)n / ((2 * (double)n) * (2 * (double)n - 1));
    }
    return n;
}
