// Two sets of runs of an archive.
#include <string.h>

#include "array.h"
#include "compare/pairing.h"
#include "compare/result.h"
#include "model/setup.h"
#include "model/warm_up.h"
#include "spinfault/base.h"

#define VALUES_SHOWN 3u // of a setting that differs

struct both {
    GPtrArray *base, *fresh, *metrics; // rows
    GPtrArray *conditions;             // of const char *: of both sides
};

static void both_clear(struct both *both)
{
    GPtrArray *const all[] = {both->base, both->fresh, both->metrics, both->conditions};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        if (all[i])
            g_ptr_array_unref(all[i]);
}

static const char *const *join(const char *const *a, const char *const *b, GPtrArray *all)
{
    for (size_t i = 0; a && a[i]; i++)
        g_ptr_array_add(all, (char *)a[i]);
    for (size_t i = 0; b && b[i]; i++)
        g_ptr_array_add(all, (char *)b[i]);
    g_ptr_array_add(all, NULL);
    return (const char *const *)all->pdata;
}

// The runs of a side, and their metrics.
static GPtrArray *read_side(struct archive *archive, const struct compare_options *options,
                            const char *const *conditions, const char *side, struct both *both,
                            GError **error)
{
    g_autoptr(GPtrArray) where = g_ptr_array_new();
    const struct run_filter filter = {join(options->where, conditions, where), options->since_ns};
    g_autoptr(GPtrArray) rows = archive_runs(archive, &filter, error);
    if (!rows)
        return NULL;
    if (!rows->len) {
        g_autofree char *asked = g_strjoinv(",", (char **)conditions);
        error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                  "no run in %s fits %s %s; \"spinfault archive list runs\" shows what there is",
                  archive_path(archive), side, asked);
        return NULL;
    }
    GPtrArray *metrics = archive_metrics(archive, &filter, NULL, error);
    if (!metrics)
        return NULL;
    if (both->metrics)
        g_ptr_array_extend_and_steal(both->metrics, metrics);
    else
        both->metrics = metrics;
    for (size_t i = 0; conditions[i]; i++)
        g_ptr_array_add(both->conditions, (char *)conditions[i]);
    return g_steal_pointer(&rows);
}

static bool check_apart(const struct both *both, GError **error)
{
    g_autoptr(GHashTable) base = g_hash_table_new(g_int64_hash, g_int64_equal);
    guint twice = 0;
    for (guint i = 0; i < both->base->len; i++)
        g_hash_table_add(base, &((struct run_row *)g_ptr_array_index(both->base, i))->id);
    for (guint i = 0; i < both->fresh->len; i++)
        twice +=
            g_hash_table_contains(base, &((struct run_row *)g_ptr_array_index(both->fresh, i))->id);
    if (!twice)
        return true;
    return error_set(error, SPINFAULT_ERROR_USAGE,
                     "%u run%s both the base and the new side; choose sides that have no run in "
                     "common",
                     twice, twice == 1 ? " fits" : "s fit");
}

static const struct metric_row *first_metric(const struct sides *sides)
{
    return g_array_index(sides->runs, struct side_run, 0).metric;
}

static void add_gap(struct compare_result *result, const char *metric, const struct group *group)
{
    struct compare_gap *gap = g_new(struct compare_gap, 1);
    *gap = (struct compare_gap){g_strdup(metric), g_strdup(group->label), group->base->len > 0,
                                MAX(group->base->len, group->fresh->len)};
    g_ptr_array_add(result->gaps, gap);
}

static char *values_of(const struct sides *sides, guint dimension, bool fresh)
{
    GString *text = g_string_new(NULL);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < sides->runs->len; i++) {
        const struct side_run *run = &g_array_index(sides->runs, struct side_run, i);
        const char *value = run->values[dimension];
        if (run->fresh == fresh && g_hash_table_add(seen, (char *)value) &&
            g_hash_table_size(seen) <= VALUES_SHOWN)
            g_string_append_printf(text, "%s%s", text->len ? ", " : "", *value ? value : "unknown");
    }
    if (g_hash_table_size(seen) > VALUES_SHOWN)
        g_string_append_printf(text, " and %u more", g_hash_table_size(seen) - VALUES_SHOWN);
    return g_string_free(text, FALSE);
}

static void add_differences(struct compare_result *result, const struct sides *sides)
{
    for (guint d = 0; d < sides->dimensions->len; d++) {
        const struct dimension *dimension = &g_array_index(sides->dimensions, struct dimension, d);
        if (dimension->use != DIMENSION_DIFFERS || dimension->constant)
            continue;
        g_autofree char *base = values_of(sides, d, false);
        g_autofree char *fresh = values_of(sides, d, true);
        char *text = g_strdup_printf("%s: %s | %s", dimension->name, base, fresh);
        if (g_ptr_array_find_with_equal_func(result->differ, text, g_str_equal, NULL))
            g_free(text);
        else
            g_ptr_array_add(result->differ, text);
    }
}

struct measuring {
    struct archive *archive;
    struct compare_result *result;
    struct warm_up warm; // of the time series of all runs
    GArray *measured;    // of struct comparison, one a cell
    GArray *aa;          // of double
    double squares;      // of all pools: the deviation of one run over all metrics
    size_t df;
};

static void measure_cell(struct measuring *m, const struct group *group,
                         const struct compare_cell *cell, const struct pool *pool,
                         size_t comparisons)
{
    const struct compare_side *base = &cell->base, *fresh = &cell->fresh;
    struct comparison c = {0};
    comparison_clear(&c);
    if (base->summary || fresh->summary) {
        comparison_of_centres(&c, stats_median(base->values, base->n),
                              stats_median(fresh->values, fresh->n), true);
    } else {
        g_autofree double *a = ARRAY_NEW(double, group->base->len);
        g_autofree double *b = ARRAY_NEW(double, group->base->len);
        bool paired = side_pairs(group, comparisons, a, b);
        comparison_measure(&c, &(struct two_samples){paired ? a : base->values,
                                                     paired ? b : fresh->values, base->n, fresh->n,
                                                     pool, paired, comparisons});
    }
    g_array_append_val(m->measured, c);
}

static void note_order(struct measuring *m, const struct compare_cell *cell,
                       const struct compare_side *side, const char *name)
{
    g_autofree char *what = g_strdup_printf("%s (%s)", name, cell->label);
    if (!side->summary)
        result_warm(m->result, warm_up_order_text(side->values, side->n, what));
}

static bool note_series(struct measuring *m, const GPtrArray *runs, const char *metric,
                        GError **error)
{
    for (guint i = 0; i < runs->len; i++) {
        const struct side_run *run = g_ptr_array_index(runs, i);
        if (!warm_up_add(&m->warm, m->archive, run->row->id, metric, error))
            return false;
    }
    return true;
}

static bool note_warm_up(struct measuring *m, const struct group *group,
                         const struct compare_cell *cell, GError **error)
{
    note_order(m, cell, &cell->base, "the base");
    note_order(m, cell, &cell->fresh, "the new side");
    return note_series(m, group->base, cell->metric, error) &&
           note_series(m, group->fresh, cell->metric, error);
}

static bool measure_metric(struct measuring *m, const struct sides *sides, const char *metric,
                           size_t metrics, GError **error)
{
    g_autoptr(GPtrArray) groups = pair_up(sides);
    struct pool pool = {0};
    size_t first = m->result->cells->len, comparisons = 0;
    for (guint g = 0; g < groups->len; g++) {
        const struct group *group = g_ptr_array_index(groups, g);
        if (!group->base->len || !group->fresh->len) {
            add_gap(m->result, metric, group);
            continue;
        }
        struct compare_cell *cell = result_cell(m->result, metric, group->label);
        cell->unit = g_strdup(strcmp(metric, "tps") == 0 ? "tps" : first_metric(sides)->unit);
        cell->higher_is_better = first_metric(sides)->better != BETTER_LOWER;
        side_fill(&cell->base, sides, group->base);
        side_fill(&cell->fresh, sides, group->fresh);
        stats_pool_add(&pool, cell->base.values, cell->base.n);
        stats_pool_add(&pool, cell->fresh.values, cell->fresh.n);
        side_noise(group->base, m->aa);
        side_noise(group->fresh, m->aa);
        comparisons++;
    }
    for (guint g = 0, at = 0; g < groups->len; g++) {
        const struct group *group = g_ptr_array_index(groups, g);
        if (!group->base->len || !group->fresh->len)
            continue;
        const struct compare_cell *cell = g_ptr_array_index(m->result->cells, first + at++);
        measure_cell(m, group, cell, &pool, comparisons * metrics);
        if (!note_warm_up(m, group, cell, error))
            return false;
    }
    m->squares += pool.sum_squares;
    m->df += pool.df;
    return true;
}

static bool measure(struct measuring *m, const struct both *both,
                    const struct compare_options *options, GError **error)
{
    g_autoptr(GPtrArray) metrics = setup_metrics(both->metrics, options->metrics, error);
    if (!metrics)
        return false;
    for (guint i = 0; i < metrics->len; i++) {
        const char *metric = g_ptr_array_index(metrics, i);
        struct sides *sides =
            sides_new(both->base, both->fresh, both->metrics, metric, both->conditions);
        bool any = sides->runs->len > 0;
        bool ok = !any || measure_metric(m, sides, metric, metrics->len, error);
        if (any)
            add_differences(m->result, sides);
        sides_free(sides);
        if (!ok)
            return false;
        if (!any && options->metrics && strcmp(options->metrics[0], "all") != 0)
            return error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                             "no complete run on either side has a metric %s; \"spinfault archive "
                             "show run ID\" shows what a run has",
                             metric);
    }
    const struct pool all = {.sum_squares = m->squares, .df = m->df};
    result_judge(m->result, &g_array_index(m->measured, struct comparison, 0), m->aa,
                 stats_pool_sd(&all));
    result_warm(m->result, warm_up_text(&m->warm));
    return true;
}

struct compare_result *compare_runs(struct archive *archive, const struct compare_options *options,
                                    GError **error)
{
    struct both both = {.conditions = g_ptr_array_new()};
    struct measuring m = {.archive = archive};
    both.base = read_side(archive, options, options->base, "--base", &both, error);
    both.fresh =
        both.base ? read_side(archive, options, options->fresh, "--new", &both, error) : NULL;
    if (both.fresh && check_apart(&both, error)) {
        m.result = result_new(options->threshold);
        m.measured = g_array_new(FALSE, FALSE, sizeof(struct comparison));
        m.aa = g_array_new(FALSE, FALSE, sizeof(double));
        if (!measure(&m, &both, options, error)) {
            compare_free(m.result);
            m.result = NULL;
        }
        g_array_free(m.measured, TRUE);
        g_array_free(m.aa, TRUE);
    }
    both_clear(&both);
    return m.result;
}
