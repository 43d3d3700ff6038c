// Changes of level, by either method, and points far from their level.
#include "history/levels.h"

#include <math.h>

#include "array.h"
#include "stats/series.h"
#include "stats/stats.h"

#define CHANGES_MOST 1000u

static enum verdict verdict_of(const struct history_series *series, double before, double after)
{
    if (series->better == BETTER_UNKNOWN || before == after)
        return VERDICT_NONE;
    return (after > before) == (series->better == BETTER_HIGHER) ? VERDICT_FASTER : VERDICT_SLOWER;
}

static void find_energy(struct history_series *series, const double *x, uint64_t seed)
{
    struct change_options options = change_defaults;
    g_autofree struct change *found = ARRAY_NEW(struct change, CHANGES_MOST);
    options.seed = seed;
    series->n_changes = stats_changes(x, series->n, &options, found, CHANGES_MOST);
    series->changes = g_new(struct history_change, series->n_changes);
    for (size_t i = 0; i < series->n_changes; i++)
        series->changes[i] = (struct history_change){
            .at = found[i].at,
            .before = found[i].before,
            .after = found[i].after,
            .ratio = found[i].ratio,
            .lo = found[i].lo,
            .hi = found[i].hi,
            .p = found[i].p,
            .verdict = verdict_of(series, found[i].before, found[i].after),
            .provisional = found[i].provisional,
        };
}

static void find_otava(struct history_series *series, const double *x)
{
    size_t n;
    g_autofree struct otava_point *found = otava_changes(x, series->n, &otava_defaults, &n);
    series->n_changes = n;
    series->changes = g_new(struct history_change, n);
    for (size_t i = 0; i < n; i++)
        series->changes[i] = (struct history_change){
            .at = found[i].at,
            .before = found[i].mean_before,
            .after = found[i].mean_after,
            .ratio = found[i].mean_before == 0 ? NAN : 1 + found[i].change,
            .lo = NAN,
            .hi = NAN,
            .p = found[i].p,
            .verdict = verdict_of(series, found[i].mean_before, found[i].mean_after),
        };
}

static void flag_outliers(struct history_series *series, const double *x)
{
    g_autofree unsigned char *flags = ARRAY_NEW(unsigned char, series->n);
    for (size_t i = 0, from = 0; i <= series->n_changes; i++) {
        size_t to = i < series->n_changes ? series->changes[i].at : series->n;
        stats_outliers(x + from, to - from, flags + from);
        from = to;
    }
    for (size_t i = 0; i < series->n; i++)
        series->points[i].outlier = flags[i] > 1;
}

void levels_find(struct history_series *series, const struct history_options *options)
{
    g_autofree double *x = ARRAY_NEW(double, series->n);
    for (size_t i = 0; i < series->n; i++)
        x[i] = series->points[i].value;
    if (options->method == HISTORY_OTAVA)
        find_otava(series, x);
    else
        find_energy(series, x, options->seed);
    flag_outliers(series, x);
}
