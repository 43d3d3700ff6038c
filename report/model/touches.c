// First touches: how many pages a process must map before it has touched all of the memory that the
// runs shared, for each page size. Exact counts, rounded up to whole pages.
#include <string.h>

#include "model/model.h"

// What the memory behind a run is called, by those who record it; the first that is there counts.
static const char *const names[] = {
    "shared_buffers", "shared_memory", "buffer_pool", "pool_bytes", "innodb_buffer_pool_size",
    "region_bytes",   "memory_bytes",  "memory",      "pool_mb"};

static bool bytes_of(const char *name, const char *text, uint64_t *bytes)
{
    if (g_str_has_suffix(name, "_mb")) {
        g_autofree char *with_unit = g_strconcat(text, "MB", NULL);
        return text_to_bytes(with_unit, bytes) && *bytes > 0;
    }
    return text_to_bytes(text, bytes) && *bytes > 0;
}

// Which of the names any run has as a tag or a metric: in a large archive mostly none.
static void find_names(const struct report_model *model, bool *tagged, bool *measured)
{
    const GHashTable *tags = NULL;
    const char *metric = NULL;
    for (guint i = 0; i < model->runs->len; i++) {
        const struct run_row *run = g_ptr_array_index(model->runs, i);
        if (run->tags == tags)
            continue;
        tags = run->tags;
        for (size_t n = 0; n < G_N_ELEMENTS(names); n++)
            tagged[n] |= g_hash_table_contains(run->tags, names[n]);
    }
    for (guint i = 0; i < model->metrics->len; i++) {
        const struct metric_row *row = g_ptr_array_index(model->metrics, i);
        if (row->name == metric)
            continue;
        metric = row->name;
        for (size_t n = 0; n < G_N_ELEMENTS(names); n++)
            measured[n] |= strcmp(metric, names[n]) == 0;
    }
}

static bool from_tags(const struct report_model *model, const char *name, bool main_only,
                      struct touches *touches)
{
    const struct grid *grid = model_grid(model);
    for (guint i = 0; i < model->runs->len; i++) {
        const struct run_row *run = g_ptr_array_index(model->runs, i);
        const char *value = g_hash_table_lookup(run->tags, name);
        if (!value)
            continue;
        bool main = !grid || (g_strcmp0(run->benchmark, grid->benchmark) == 0 &&
                              g_strcmp0(run->workload, grid->workload) == 0);
        uint64_t bytes;
        if ((main_only && !main) || !bytes_of(name, value, &bytes))
            continue;
        if (bytes > touches->bytes) {
            touches->bytes = bytes;
            touches->from = run->path;
        }
    }
    return touches->bytes > 0;
}

static bool from_metrics(const struct report_model *model, const char *name,
                         struct touches *touches)
{
    for (guint i = 0; i < model->metrics->len; i++) {
        const struct metric_row *metric = g_ptr_array_index(model->metrics, i);
        if (strcmp(metric->name, name) == 0 && g_strcmp0(metric->unit, "B") == 0 &&
            metric->value > (double)touches->bytes && metric->value < 1e18) {
            const struct run_row *run = g_hash_table_lookup(model->runs_by_id, &metric->run_id);
            touches->bytes = (uint64_t)metric->value;
            touches->from = run ? run->path : NULL;
        }
    }
    return touches->bytes > 0;
}

static bool from_environment(const struct report_model *model, const char *name,
                             struct touches *touches)
{
    for (guint i = 0; i < model->environment_rows->len; i++) {
        const struct environment_row *row = g_ptr_array_index(model->environment_rows, i);
        if (strcmp(row->key, name) != 0 || !row->value)
            continue;
        g_autofree char *text = g_strconcat(row->value, row->unit, NULL);
        uint64_t bytes;
        if (bytes_of(name, text, &bytes) && bytes > touches->bytes) {
            touches->bytes = bytes;
            touches->from = row->origin;
        }
    }
    return touches->bytes > 0;
}

static void add_touch(struct touches *touches, const char *page, uint64_t page_bytes)
{
    struct touch touch = {.page = page, .page_bytes = page_bytes, .divisor = page_bytes / 4096};
    touch.count = (touches->bytes + page_bytes - 1) / page_bytes;
    g_array_append_val(touches->items, touch);
}

static bool grid_has_page(const struct report_model *model, const char *page)
{
    const struct grid *grid = model_grid(model);
    return grid && g_strv_contains((const char *const *)grid->pages, page);
}

void model_add_touches(struct report_model *model)
{
    struct touches *touches = &model->touches;
    bool found = false, tagged[G_N_ELEMENTS(names)] = {0}, measured[G_N_ELEMENTS(names)] = {0};
    find_names(model, tagged, measured);
    for (size_t i = 0; i < G_N_ELEMENTS(names) && !found; i++) {
        touches->name = names[i];
        found = (tagged[i] && from_tags(model, names[i], true, touches)) ||
                (measured[i] && from_metrics(model, names[i], touches)) ||
                from_environment(model, names[i], touches) ||
                (tagged[i] && from_tags(model, names[i], false, touches));
    }
    if (!found)
        return;
    add_touch(touches, "4 KiB", 4096);
    if (grid_has_page(model, "16K"))
        add_touch(touches, "16 KiB", 16384);
    if (grid_has_page(model, "64K"))
        add_touch(touches, "64 KiB", 65536);
    add_touch(touches, "2 MiB", 2u << 20);
    add_touch(touches, "1 GiB", 1u << 30);
}
