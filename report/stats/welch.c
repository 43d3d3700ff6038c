// t tests: of two samples with unequal variances, and of pairs.
#include "stats/stats.h"

#include "array.h"

#include <glib.h>
#include <math.h>

static bool finish(double difference, double error, double df, double level, struct t_test *result)
{
    if (!(error > 0))
        return false;
    double reach = stats_t_quantile((1 + level) / 2, df) * error;
    *result = (struct t_test){.difference = difference,
                              .t = difference / error,
                              .df = df,
                              .p = stats_t_tail(difference / error, df),
                              .lo = difference - reach,
                              .hi = difference + reach};
    return true;
}

bool stats_welch(const double *base, size_t m, const double *fresh, size_t n, double level,
                 struct t_test *result)
{
    if (m < 2 || n < 2)
        return false;
    double a = stats_sd(base, m), b = stats_sd(fresh, n);
    a *= a / (double)m;
    b *= b / (double)n;
    double df = (a + b) * (a + b) / (a * a / (double)(m - 1) + b * b / (double)(n - 1));
    return finish(stats_mean(fresh, n) - stats_mean(base, m), sqrt(a + b), df, level, result);
}

bool stats_paired_t(const double *base, const double *fresh, size_t n, double level,
                    struct t_test *result)
{
    if (n < 2)
        return false;
    g_autofree double *difference = ARRAY_NEW(double, n);
    for (size_t i = 0; i < n; i++)
        difference[i] = fresh[i] - base[i];
    return finish(stats_mean(difference, n), stats_sd(difference, n) / sqrt((double)n),
                  (double)(n - 1), level, result);
}
