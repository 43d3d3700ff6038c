// What Apache Otava computes, from the description of the method (Fleming et al., Hunter: Using
// Change Point Detection to Hunt for Performance Regressions, ICPE 2023) and what it does with its
// numbers, its oddities included; series.h names them.
#include "stats/series.h"

#include "array.h"
#include "stats/stats.h"

#include <glib.h>
#include <math.h>
#include <string.h>

const struct otava_options otava_defaults = {50, 0.001, 0};

static double *without_gaps(const double *x, size_t n)
{
    double *filled = ARRAY_NEW(double, n);
    size_t first = 0;
    while (first < n && isnan(x[first]))
        first++;
    for (size_t i = 0; i < n; i++)
        filled[i] = !isnan(x[i]) ? x[i] : i < first ? (first < n ? x[first] : NAN) : filled[i - 1];
    return filled;
}

struct candidate {
    size_t at;
    double q;
};

// The split point and the end that maximise the statistic in x[from … to). Sums of distances grow
// by one value at a time: `left` over pairs before the split, `right` over those from it to the
// end.
static struct candidate best_in(const double *x, size_t from, size_t to)
{
    struct candidate best = {0, -INFINITY};
    double left = 0;
    for (size_t at = from + 1; at < to; at++) {
        for (size_t i = from; i + 1 < at; i++)
            left += fabs(x[i] - x[at - 1]);
        double right = 0, between = 0, m = (double)(at - from);
        for (size_t end = at + 1; end <= to; end++) {
            for (size_t i = from; i < at; i++)
                between += fabs(x[i] - x[end - 1]);
            for (size_t i = at; i + 1 < end; i++)
                right += fabs(x[i] - x[end - 1]);
            double n = (double)(end - at);
            double q = 2 / (m + n) * between;
            q -= m > 1 ? 2 * n / ((m + n) * (m - 1)) * left : 0;
            q -= n > 1 ? 2 * m / ((m + n) * (n - 1)) * right : 0;
            if (q > best.q)
                best = (struct candidate){at, q};
        }
    }
    return best;
}

static double mean_of(const double *x, size_t n, double *population_sd)
{
    double mean = stats_mean(x, n), squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    *population_sd = n > 1 ? sqrt(squares / (double)n) : 0;
    return mean;
}

static double student_p(const struct otava_point *p, size_t m, size_t n)
{
    if (m + n <= 2)
        return 1;
    double df = (double)(m + n - 2);
    double pooled = ((double)(m - 1) * p->sd_before * p->sd_before +
                     (double)(n - 1) * p->sd_after * p->sd_after) /
                    df;
    double error = sqrt(pooled * (1 / (double)m + 1 / (double)n));
    double difference = p->mean_before - p->mean_after;
    if (!(error > 0))
        return difference == 0 ? NAN : 0;
    return stats_t_tail(difference / error, df);
}

static double magnitude(double a, double b)
{
    double forward = a == 0 ? 0 : b / a - 1, backward = b == 0 ? 0 : a / b - 1;
    return fmax(fabs(forward), fabs(backward));
}

static struct otava_point point_between(const double *x, size_t from, size_t at, size_t to,
                                        double statistic)
{
    struct otava_point p = {.at = at, .statistic = statistic};
    p.mean_before = mean_of(x + from, at - from, &p.sd_before);
    p.mean_after = mean_of(x + at, to - at, &p.sd_after);
    p.p = student_p(&p, at - from, to - at);
    p.change = p.mean_before == 0 ? 0 : p.mean_after / p.mean_before - 1;
    p.magnitude = magnitude(p.mean_before, p.mean_after);
    return p;
}

// The point anew, between its neighbours.
static void refresh(const double *x, size_t n, GArray *points, guint i)
{
    if (i >= points->len)
        return;
    struct otava_point *p = &g_array_index(points, struct otava_point, i);
    size_t from = i ? g_array_index(points, struct otava_point, i - 1).at : 0;
    size_t to = i + 1 < points->len ? g_array_index(points, struct otava_point, i + 1).at : n;
    *p = point_between(x, from, p->at, to, p->statistic);
}

static void keep(GArray *points, struct otava_point point)
{
    guint i = 0;
    while (i < points->len && g_array_index(points, struct otava_point, i).at < point.at)
        i++;
    if (i < points->len && g_array_index(points, struct otava_point, i).at == point.at)
        return;
    g_array_insert_val(points, i, point);
}

// Splits x[0 … n), the best segment first, while the t test of the split stands.
static GArray *split_window(const double *x, size_t n, double alpha)
{
    GArray *points = g_array_new(FALSE, FALSE, sizeof(struct otava_point));
    for (;;) {
        struct candidate best = {0, -INFINITY};
        size_t from = 0, to = 0;
        for (guint i = 0; i <= points->len; i++) {
            size_t a = i ? g_array_index(points, struct otava_point, i - 1).at : 0;
            size_t b = i < points->len ? g_array_index(points, struct otava_point, i).at : n;
            struct candidate here = b - a > 1 ? best_in(x, a, b) : best;
            if (here.q > best.q) {
                best = here;
                from = a;
                to = b;
            }
        }
        if (to == 0)
            return points;
        struct otava_point point = point_between(x, from, best.at, to, best.q);
        if (!(point.p <= alpha))
            return points;
        keep(points, point);
    }
}

static double first_alpha(double alpha)
{
    return alpha < 0.05 ? alpha * 10 : alpha < 0.5 ? alpha * 2 : alpha;
}

static GArray *weak_points(const double *x, size_t n, const struct otava_options *options)
{
    GArray *points = g_array_new(FALSE, FALSE, sizeof(struct otava_point));
    size_t step = options->window / 2;
    for (size_t start = 0; start < n;) {
        size_t length = MIN(options->window, n - start), last = 0;
        g_autoptr(GArray) here = split_window(x + start, length, first_alpha(options->alpha));
        for (guint i = 0; i < here->len; i++) {
            struct otava_point point = g_array_index(here, struct otava_point, i);
            point.at += start;
            last = point.at;
            keep(points, point);
        }
        start = MAX(last, start + step);
    }
    for (guint i = 0; i < points->len; i++)
        refresh(x, n, points, i);
    return points;
}

// The point with the largest p; one whose p is not a number counts as larger than any.
static guint weakest(const GArray *points)
{
    guint at = 0;
    for (guint i = 1; i < points->len; i++) {
        double p = g_array_index(points, struct otava_point, i).p;
        double most = g_array_index(points, struct otava_point, at).p;
        if (!isnan(most) && !(p <= most))
            at = i;
    }
    return at;
}

static guint smallest(const GArray *points)
{
    guint at = 0;
    for (guint i = 1; i < points->len; i++)
        if (g_array_index(points, struct otava_point, i).magnitude <
            g_array_index(points, struct otava_point, at).magnitude)
            at = i;
    return at;
}

static void merge(const double *x, size_t n, const struct otava_options *options, GArray *points)
{
    while (points->len) {
        guint at = weakest(points);
        if (g_array_index(points, struct otava_point, at).p < options->alpha) {
            at = smallest(points);
            if (g_array_index(points, struct otava_point, at).magnitude > options->least_change)
                return;
        }
        g_array_remove_index(points, at);
        // The point to the left keeps what it was computed with: it is what Otava does.
        refresh(x, n, points, at);
        refresh(x, n, points, at + 1);
    }
}

static struct otava_point *points_of(const double *x, size_t n, const struct otava_options *options,
                                     bool merged, size_t *count)
{
    g_autofree double *filled = without_gaps(x, n);
    *count = 0;
    if (n == 0 || isnan(filled[0]) || options->window < 2)
        return NULL;
    GArray *points = weak_points(filled, n, options);
    if (merged)
        merge(filled, n, options, points);
    *count = points->len;
    struct otava_point *all = ARRAY_NEW(struct otava_point, points->len);
    if (points->len)
        memcpy(all, points->data, points->len * sizeof *all);
    g_array_free(points, TRUE);
    return all;
}

struct otava_point *otava_weak(const double *x, size_t n, const struct otava_options *options,
                               size_t *count)
{
    return points_of(x, n, options, false, count);
}

struct otava_point *otava_changes(const double *x, size_t n, const struct otava_options *options,
                                  size_t *count)
{
    return points_of(x, n, options, true, count);
}
