// Series from runs: those that have everything in common but what changes in time, the versions of
// kernel and program.
#include "spinfault/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/pairing.h"
#include "compare/values.h"
#include "history/levels.h"
#include "model/setup.h"
#include "spinfault/base.h"

#define POINTS_MOST 20000u // of one series; older ones are left out

// What may change along a series, as conditions that name it.
static const char *const moving[] = {"kernel=",     "commit=",        "version=", "revision=",
                                     "build=",      "branch=",        "tag=",     "vcpus=",
                                     "pg_version=", "server_version="};

static void series_free(gpointer data)
{
    struct history_series *series = data;
    g_free(series->metric);
    g_free(series->unit);
    g_free(series->label);
    if (series->set)
        g_ptr_array_unref(series->set);
    g_free(series->points);
    g_free(series->changes);
    g_free(series);
}

void history_free(struct history_result *result)
{
    if (!result)
        return;
    g_ptr_array_unref(result->series);
    g_string_chunk_free(result->text);
    g_free(result);
}

static struct history_result *result_new(void)
{
    struct history_result *result = g_new0(struct history_result, 1);
    result->series = g_ptr_array_new_with_free_func(series_free);
    result->text = g_string_chunk_new(1024);
    return result;
}

static const char *version_of(struct history_result *result, const struct run_row *run)
{
    static const char *const tags[] = {"commit", "revision", "version", "build"};
    for (size_t i = 0; i < G_N_ELEMENTS(tags); i++) {
        const char *value = g_hash_table_lookup(run->tags, tags[i]);
        if (value)
            return g_string_chunk_insert_const(result->text, value);
    }
    return run->kernel ? g_string_chunk_insert_const(result->text, run->kernel) : NULL;
}

static int compare_points(const void *a, const void *b)
{
    const struct history_point *x = a, *y = b;
    if (x->t_ns != y->t_ns)
        return x->t_ns > y->t_ns ? 1 : -1;
    return (x->run_id > y->run_id) - (x->run_id < y->run_id);
}

static void fill_points(struct history_result *result, struct history_series *series,
                        const GPtrArray *runs)
{
    series->points = g_new0(struct history_point, runs->len);
    series->n = runs->len;
    series->timed = true;
    for (guint i = 0; i < runs->len; i++) {
        const struct side_run *run = g_ptr_array_index(runs, i);
        series->points[i] = (struct history_point){.run_id = run->row->id,
                                                   .t_ns = run->row->started_ns,
                                                   .value = run->metric->value,
                                                   .version = version_of(result, run->row)};
        series->timed &= run->row->started_ns != INT64_MIN;
    }
    if (series->timed)
        qsort(series->points, series->n, sizeof *series->points, compare_points);
    if (series->n > POINTS_MOST) {
        series->left_out = series->n - POINTS_MOST;
        series->n = POINTS_MOST;
        memmove(series->points, series->points + series->left_out,
                series->n * sizeof *series->points);
    }
}

static void add_series(struct history_result *result, const struct sides *sides,
                       const struct group *group, const char *metric,
                       const struct history_options *options)
{
    const struct side_run *first = g_ptr_array_index(group->base, 0);
    struct history_series *series = g_new0(struct history_series, 1);
    series->metric = g_strdup(metric);
    series->unit = g_strdup(strcmp(metric, "tps") == 0 ? "tps" : first->metric->unit);
    series->better = first->metric->better;
    series->label = g_strdup(group->label);
    series->set = side_set(sides, group->base);
    fill_points(result, series, group->base);
    levels_find(series, options);
    g_ptr_array_add(result->series, series);
}

static size_t points_needed(const struct history_options *options)
{
    return options->least ? options->least : HISTORY_LEAST;
}

// Adds the series of one metric; false when no run has it.
static bool add_metric(struct history_result *result, const GPtrArray *runs,
                       const GPtrArray *metrics, const char *metric,
                       const struct history_options *options)
{
    g_autoptr(GPtrArray) none = g_ptr_array_new();
    g_autoptr(GPtrArray) conditions = g_ptr_array_new();
    for (size_t i = 0; i < G_N_ELEMENTS(moving); i++)
        g_ptr_array_add(conditions, (char *)moving[i]);
    struct sides *sides = sides_new(runs, none, metrics, metric, conditions);
    g_autoptr(GPtrArray) groups = pair_up(sides);
    for (guint i = 0; i < groups->len; i++) {
        const struct group *group = g_ptr_array_index(groups, i);
        if (group->base->len < points_needed(options))
            result->too_short++;
        else
            add_series(result, sides, group, metric, options);
    }
    sides_free(sides);
    return groups->len > 0;
}

struct history_result *history_rows(const GPtrArray *runs, const GPtrArray *metrics,
                                    const char *metric, const struct history_options *options)
{
    struct history_result *result = result_new();
    add_metric(result, runs, metrics, metric, options);
    return result;
}

struct history_result *history_runs(struct archive *archive, const struct history_options *options,
                                    GError **error)
{
    g_autoptr(GPtrArray) runs = archive_runs(archive, options->filter, error);
    g_autoptr(GPtrArray) metrics =
        runs ? archive_metrics(archive, options->filter, NULL, error) : NULL;
    if (!metrics)
        return NULL;
    if (!runs->len) {
        error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                  "no run in %s fits --where and --since; \"spinfault archive list runs\" shows "
                  "what there is",
                  archive_path(archive));
        return NULL;
    }
    g_autoptr(GPtrArray) names = setup_metrics(metrics, options->metrics, error);
    if (!names)
        return NULL;
    struct history_result *result = result_new();
    for (guint i = 0; i < names->len; i++) {
        const char *name = g_ptr_array_index(names, i);
        if (add_metric(result, runs, metrics, name, options))
            continue;
        error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                  "no complete run has a metric %s; \"spinfault archive show run ID\" shows what a "
                  "run has",
                  name);
        history_free(result);
        return NULL;
    }
    return result;
}

struct history_result *history_file(const char *path, bool lower_is_better,
                                    const struct history_options *options, GError **error)
{
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
    if (!values_read(path, values, error))
        return NULL;
    struct history_result *result = result_new();
    if (values->len < points_needed(options)) {
        result->too_short = 1;
        return result;
    }
    struct history_series *series = g_new0(struct history_series, 1);
    guint first = values->len > POINTS_MOST ? values->len - POINTS_MOST : 0;
    series->metric = g_strdup("value");
    series->better = lower_is_better ? BETTER_LOWER : BETTER_HIGHER;
    series->label = g_strdup(values_name(path));
    series->set = g_ptr_array_new_with_free_func(g_free);
    series->left_out = first;
    series->n = values->len - first;
    series->points = g_new0(struct history_point, series->n);
    for (size_t i = 0; i < series->n; i++)
        series->points[i] =
            (struct history_point){.t_ns = INT64_MIN,
                                   .value = g_array_index(values, double, first + i)};
    levels_find(series, options);
    g_ptr_array_add(result->series, series);
    return result;
}

const char *history_gate(const struct history_result *result)
{
    bool slower = false, provisional = false;
    for (guint i = 0; i < result->series->len; i++) {
        const struct history_series *series = g_ptr_array_index(result->series, i);
        const struct history_change *last =
            series->n_changes ? &series->changes[series->n_changes - 1] : NULL;
        if (!last || last->verdict != VERDICT_SLOWER)
            continue;
        slower |= !last->provisional;
        provisional |= last->provisional;
    }
    if (slower)
        return "fail";
    return provisional || !result->series->len ? "unsure" : "pass";
}
