// A model from an archive: read the rows, then build part after part.
#include "model/model.h"

#include <string.h>

const char *model_keep(struct report_model *model, const char *text)
{
    return text ? g_string_chunk_insert_const(model->text, text) : NULL;
}

const char *model_text(struct report_model *model, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    return model_keep(model, text);
}

static void grid_free(gpointer data)
{
    struct grid *grid = data;
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++)
        g_array_free(grid->cells[i].observations, TRUE);
    g_free(grid->cells);
    g_free((void *)grid->pages);
    g_free((void *)grid->preempts);
    g_array_free(grid->run_ids, TRUE);
    g_free(grid);
}

static void free_flame(gpointer data)
{
    flame_free(data);
}

static void wait_group_free(gpointer data)
{
    struct wait_group *group = data;
    g_array_free(group->items, TRUE);
    g_free(group);
}

static void environment_item_free(gpointer data)
{
    struct environment_item *item = data;
    g_array_free(item->values, TRUE);
    g_free(item);
}

void model_free(struct report_model *model)
{
    if (!model)
        return;
    GPtrArray *const arrays[] = {model->grids,    model->flames,       model->waits,
                                 model->findings, model->environment,  model->runs,
                                 model->metrics,  model->scans,        model->sections,
                                 model->files,    model->finding_rows, model->profiles,
                                 model->sources,  model->wait_rows,    model->environment_rows};
    for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++)
        if (arrays[i])
            g_ptr_array_unref(arrays[i]);
    history_free(model->history);
    stack_tree_free(model->diff.base_tree);
    stack_tree_free(model->diff.fresh_tree);
    if (model->diff.nodes)
        g_array_free(model->diff.nodes, TRUE);
    g_array_free(model->machines.items, TRUE);
    g_array_free(model->touches.items, TRUE);
    g_array_free(model->shares.items, TRUE);
    g_array_free(model->meta, TRUE);
    g_array_free(model->tiles, TRUE);
    g_hash_table_unref(model->runs_by_id);
    g_string_chunk_free(model->text);
    g_free(model);
}

static struct report_model *model_empty(const struct report_options *options)
{
    struct report_model *model = g_new0(struct report_model, 1);
    model->text = g_string_chunk_new(4096);
    model->threshold = options->threshold > 0 ? options->threshold : 0.05;
    model->for_page = !options->format || strcmp(options->format, "html") == 0;
    model->title = model_keep(model, options->title);
    model->grids = g_ptr_array_new_with_free_func(grid_free);
    model->flames = g_ptr_array_new_with_free_func(free_flame);
    model->waits = g_ptr_array_new_with_free_func(wait_group_free);
    model->findings = g_ptr_array_new_with_free_func(g_free);
    model->environment = g_ptr_array_new_with_free_func(environment_item_free);
    model->machines.items = g_array_new(FALSE, FALSE, sizeof(struct machine));
    model->touches.items = g_array_new(FALSE, FALSE, sizeof(struct touch));
    model->shares.items = g_array_new(FALSE, FALSE, sizeof(struct share));
    model->meta = g_array_new(FALSE, FALSE, sizeof(const char *));
    model->tiles = g_array_new(FALSE, FALSE, sizeof(struct tile));
    model->runs_by_id = g_hash_table_new(g_int64_hash, g_int64_equal);
    return model;
}

static bool read_rows(struct report_model *model, struct archive *archive,
                      const struct run_filter *filter, GError **error)
{
    if (!(model->runs = archive_runs(archive, filter, error)) ||
        !(model->metrics = archive_metrics(archive, filter, NULL, error)) ||
        !(model->wait_rows = archive_waits(archive, error)) ||
        !(model->environment_rows = archive_environment(archive, error)) ||
        !(model->profiles = archive_profiles(archive, error)) ||
        !(model->sources = archive_sources(archive, error)))
        return false;
    for (guint i = 0; i < model->profiles->len; i++) {
        struct profile_row *profile = g_ptr_array_index(model->profiles, i);
        if (!profile->event) // folded stacks name none
            profile->event = g_strdup("samples");
    }
    for (guint i = 0; i < model->runs->len; i++) {
        struct run_row *run = g_ptr_array_index(model->runs, i);
        g_hash_table_insert(model->runs_by_id, &run->id, run);
        model->aborted += run->status == RUN_ABORTED;
    }
    return true;
}

static bool asks_something(const struct run_filter *filter)
{
    return filter && ((filter->where && *filter->where) || filter->since_ns != INT64_MIN);
}

// Of the machine and workload that the main grid is about; `spinfault history` has the others.
static void add_history(struct report_model *model)
{
    const struct history_options options = {.seed = HISTORY_SEED};
    const struct grid *grid = model_grid(model);
    g_autoptr(GPtrArray) runs = g_ptr_array_new();
    if (!grid)
        return;
    for (guint i = 0; i < model->runs->len; i++) {
        struct run_row *run = g_ptr_array_index(model->runs, i);
        if (g_strcmp0(run->benchmark, grid->benchmark) == 0 &&
            g_strcmp0(run->workload, grid->workload) == 0 &&
            g_strcmp0(run->instance ? run->instance : run->host, grid->machine) == 0)
            g_ptr_array_add(runs, run);
    }
    model->history = history_rows(runs, model->metrics, grid->metric, &options);
}

static bool add_warm_up(struct report_model *model, struct archive *archive, GError **error)
{
    const struct grid *grid = model_grid(model);
    for (guint i = 0; grid && i < grid->run_ids->len; i++)
        if (!warm_up_add(&model->warm, archive, g_array_index(grid->run_ids, int64_t, i),
                         grid->metric, error))
            return false;
    g_autofree char *text = warm_up_text(&model->warm);
    model->warm_text = model_keep(model, text);
    return true;
}

static bool build(struct report_model *model, struct archive *archive,
                  const struct report_options *options, GError **error)
{
    if (!read_rows(model, archive, options->filter, error))
        return false;
    if (!model->runs->len && asks_something(options->filter))
        return error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                         "no run in %s fits --where and --since; \"spinfault archive list runs\" "
                         "shows what there is",
                         archive_path(archive));
    if (!model_add_grids(model, options, error) ||
        !model_add_flames(model, options, archive, error) ||
        !model_add_diff(model, options, archive, error) ||
        !model_add_findings(model, archive, error) || !add_warm_up(model, archive, error))
        return false;
    if (!model->grids->len && !model->flames->len && !model->scan && !model->wait_rows->len)
        return error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                         "nothing to report on in %s; scan sources or ingest results first",
                         archive_path(archive));
    add_history(model);
    model_add_suspects(model);
    model_add_machines(model);
    model_add_touches(model);
    model_add_shares(model);
    model_add_waits(model);
    model_add_environment(model);
    model_add_words(model);
    return true;
}

struct report_model *model_new(struct archive *archive, const struct report_options *options,
                               GError **error)
{
    struct report_model *model = model_empty(options);
    if (!build(model, archive, options, error)) {
        model_free(model);
        return NULL;
    }
    return model;
}
