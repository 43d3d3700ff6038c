// What to be wary of: outliers, and how much the same thing differs from itself.
#include "stats/stats.h"

#include "array.h"

#include <glib.h>
#include <math.h>

#define MAD_TO_SD 1.4826 // of a normal distribution

struct outliers stats_outliers(const double *x, size_t n, unsigned char *flags)
{
    struct outliers found = {0, 0, NAN};
    double low = stats_quantile(x, n, 0.25), high = stats_quantile(x, n, 0.75);
    double median = stats_median(x, n), scale = MAD_TO_SD * stats_mad(x, n), reach = high - low;
    for (size_t i = 0; i < n; i++) {
        double beyond = fmax(low - x[i], x[i] - high);
        unsigned char flag = beyond > 3 * reach ? 2 : beyond > 1.5 * reach ? 1 : 0;
        found.mild += flag > 0;
        found.severe += flag > 1;
        if (scale > 0)
            found.farthest = fmax(found.farthest, fabs(x[i] - median) / scale);
        if (flags)
            flags[i] = flag;
    }
    return found;
}

double stats_noise_floor(const double *aa_ratios, size_t n)
{
    g_autofree double *logs = stats_logs(aa_ratios, n);
    if (n == 0 || !logs)
        return NAN;
    for (size_t i = 0; i < n; i++)
        logs[i] = fabs(logs[i]);
    return expm1(stats_quantile(logs, n, 0.95));
}
