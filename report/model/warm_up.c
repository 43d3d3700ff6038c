// Warm-up: within a run by its time series, and over the runs of one side by their order.
#include "model/warm_up.h"

#include <math.h>

#include "array.h"
#include "spinfault/base.h"
#include "stats/series.h"

// A series that goes on in another clock is another series.
static guint first_part(const GArray *points)
{
    guint n = 1;
    while (n < points->len && g_array_index(points, struct series_row, n).epoch ==
                                  g_array_index(points, struct series_row, 0).epoch)
        n++;
    return MIN(n, points->len);
}

bool warm_up_add(struct warm_up *w, struct archive *archive, int64_t run_id, const char *metric,
                 GError **error)
{
    if (w->runs >= WARM_UP_RUNS)
        return true;
    g_autoptr(GArray) points = archive_series(archive, run_id, metric, error);
    if (!points)
        return false;
    size_t n = first_part(points);
    g_autofree double *values = ARRAY_NEW(double, n);
    for (size_t i = 0; i < n; i++)
        values[i] = g_array_index(points, struct series_row, i).value;
    if (n < WARM_UP_LEAST)
        return true;
    size_t cut = stats_warm_up(values, n);
    w->runs++;
    if (cut == n)
        w->restless++;
    if (cut == 0 || cut == n)
        return true;
    double step = (g_array_index(points, struct series_row, n - 1).t -
                   g_array_index(points, struct series_row, 0).t) /
                  (double)(n - 1);
    double took = step * (double)cut;
    w->least_s = w->warm ? fmin(w->least_s, took) : took;
    w->most_s = fmax(w->most_s, took);
    w->warm++;
    return true;
}

char *warm_up_text(const struct warm_up *w)
{
    if (!w->warm && !w->restless)
        return NULL;
    GString *text = g_string_new(NULL);
    if (w->warm) {
        g_string_append_printf(text, "In %u of %u run%s with a time series the first %.3g", w->warm,
                               w->runs, w->runs == 1 ? "" : "s", w->least_s);
        if (w->most_s > w->least_s)
            g_string_append_printf(text, " to %.3g", w->most_s);
        g_string_append(text, " s differ from the rest, as in a warm-up");
    }
    if (w->restless)
        g_string_append_printf(text, "%s%u had not settled by the middle",
                               w->warm ? "; " : "Of the runs with a time series ", w->restless);
    g_string_append(text, "; all of it counts");
    return g_string_free(text, FALSE);
}

char *warm_up_order_text(const double *values, size_t n, const char *what)
{
    size_t cut = n < WARM_UP_LEAST ? 0 : stats_warm_up(values, n);
    if (cut == 0)
        return NULL;
    if (cut == n)
        return g_strdup_printf("The %zu values of %s, in their order, do not settle; all of them "
                               "count",
                               n, what);
    return g_strdup_printf(
        "The first %zu of %zu values of %s, in their order, differ from the rest, "
        "as in a warm-up; all of them count",
        cut, n, what);
}
