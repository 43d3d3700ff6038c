// The result of a comparison: verdicts over the whole family, means over matched cells.
#include "compare/result.h"

#include <math.h>
#include <string.h>

#include "array.h"

static void side_clear(struct compare_side *side)
{
    if (side->set)
        g_ptr_array_unref(side->set);
    g_free(side->values);
}

static void cell_free(gpointer data)
{
    struct compare_cell *cell = data;
    g_free(cell->metric);
    g_free(cell->unit);
    g_free(cell->label);
    side_clear(&cell->base);
    side_clear(&cell->fresh);
    g_free(cell);
}

static void gap_free(gpointer data)
{
    struct compare_gap *gap = data;
    g_free(gap->metric);
    g_free(gap->label);
    g_free(gap);
}

static void mean_free(gpointer data)
{
    g_free(((struct compare_mean *)data)->metric);
    g_free(data);
}

void compare_free(struct compare_result *result)
{
    if (!result)
        return;
    g_ptr_array_unref(result->cells);
    g_ptr_array_unref(result->gaps);
    g_ptr_array_unref(result->means);
    g_ptr_array_unref(result->differ);
    g_ptr_array_unref(result->warm);
    g_free(result);
}

struct compare_result *result_new(double threshold)
{
    struct compare_result *result = g_new0(struct compare_result, 1);
    result->cells = g_ptr_array_new_with_free_func(cell_free);
    result->gaps = g_ptr_array_new_with_free_func(gap_free);
    result->means = g_ptr_array_new_with_free_func(mean_free);
    result->differ = g_ptr_array_new_with_free_func(g_free);
    result->warm = g_ptr_array_new_with_free_func(g_free);
    result->threshold = threshold;
    return result;
}

struct compare_cell *result_cell(struct compare_result *result, const char *metric,
                                 const char *label)
{
    struct compare_cell *cell = g_new0(struct compare_cell, 1);
    cell->metric = g_strdup(metric);
    cell->label = g_strdup(label);
    g_ptr_array_add(result->cells, cell);
    return cell;
}

const char *compare_gate(const struct compare_result *result)
{
    if (result->slower)
        return "fail";
    return result->unsure || result->gaps->len || !result->cells->len ? "unsure" : "pass";
}

static void copy(struct compare_cell *cell, const struct comparison *c)
{
    cell->ratio = c->ratio;
    cell->lo = c->lo;
    cell->hi = c->hi;
    cell->level = c->level;
    cell->reached = c->reached;
    cell->u = c->u;
    cell->p = c->p;
    cell->p_holm = c->p_holm;
    cell->delta = c->delta;
    cell->method = c->method;
    cell->size_only = c->size_only;
    cell->verdict = c->verdict;
    cell->needs = c->needs;
}

static void count(struct compare_result *result, enum verdict verdict)
{
    result->slower += verdict == VERDICT_SLOWER;
    result->faster += verdict == VERDICT_FASTER;
    result->same += verdict == VERDICT_SAME;
    result->unsure += verdict == VERDICT_UNSURE;
}

// The cells of one metric, from `first` on.
static void add_mean(struct compare_result *result, guint first)
{
    const struct compare_cell *like = g_ptr_array_index(result->cells, first);
    g_autofree double *ratios = ARRAY_NEW(double, result->cells->len);
    size_t n = 0;
    for (guint i = 0; i < result->cells->len; i++) {
        const struct compare_cell *cell = g_ptr_array_index(result->cells, i);
        bool same = strcmp(cell->metric, like->metric) == 0;
        if (same && i < first)
            return; // done already
        if (same && !isnan(cell->ratio))
            ratios[n++] = cell->ratio;
    }
    struct geomean g;
    if (n < 2 || !stats_geomean(ratios, n, 0.95, &g))
        return;
    struct compare_mean *mean = g_new(struct compare_mean, 1);
    *mean = (struct compare_mean){
        g_strdup(like->metric), (unsigned)n, g.value, g.lo, g.hi, g.min, g.max};
    g_ptr_array_add(result->means, mean);
}

void result_warm(struct compare_result *result, char *sentence)
{
    if (sentence)
        g_ptr_array_add(result->warm, sentence);
}

void result_judge(struct compare_result *result, struct comparison *measured, const GArray *aa,
                  double noise)
{
    guint n = result->cells->len;
    g_autofree struct comparison **family = ARRAY_NEW(struct comparison *, n);
    for (guint i = 0; i < n; i++)
        family[i] = &measured[i];
    comparisons_adjust(family, n);
    result->noise = noise_floor(aa);
    result->margin =
        isnan(result->noise) ? result->threshold : MAX(result->threshold, result->noise);
    for (guint i = 0; i < n; i++) {
        struct compare_cell *cell = g_ptr_array_index(result->cells, i);
        comparison_judge(&measured[i], result->margin, cell->higher_is_better, noise, n);
        copy(cell, &measured[i]);
        count(result, cell->verdict);
    }
    for (guint i = 0; i < n; i++)
        add_mean(result, i);
}

struct compare_summary compare_summary(const struct compare_side *side)
{
    const double *x = side->values;
    struct compare_summary s = {.mean = stats_mean(x, side->n),
                                .sd = stats_sd(x, side->n),
                                .median = stats_median(x, side->n),
                                .mad = side->summary ? NAN : stats_mad(x, side->n),
                                .min = stats_quantile(x, side->n, 0),
                                .max = stats_quantile(x, side->n, 1),
                                .median_lo = NAN,
                                .median_hi = NAN,
                                .median_level = NAN};
    struct interval interval;
    if (stats_median_interval(x, side->n, 0.95, &interval)) {
        s.median_lo = interval.lo;
        s.median_hi = interval.hi;
        s.median_level = interval.level;
    }
    struct outliers odd = stats_outliers(x, side->n, NULL);
    s.mild = odd.mild;
    s.severe = odd.severe;
    return s;
}
