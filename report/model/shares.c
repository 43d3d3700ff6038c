// Shares of the CPU that a source prints for single functions (metrics named cpu_share:FUNCTION):
// of the first point of the grid that has any.
#include <string.h>

#include "model/model.h"

#define PREFIX "cpu_share:"

static int compare_shares(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return strcmp(x->symbol, y->symbol);
}

static bool same_point(const struct run_row *a, const struct run_row *b)
{
    return g_strcmp0(a->page, b->page) == 0 && g_strcmp0(a->preempt, b->preempt) == 0 &&
           g_strcmp0(a->instance, b->instance) == 0 && g_strcmp0(a->workload, b->workload) == 0 &&
           g_strcmp0(g_hash_table_lookup(a->tags, "source"),
                     g_hash_table_lookup(b->tags, "source")) == 0;
}

void model_add_shares(struct report_model *model)
{
    const struct run_row *point = NULL;
    for (guint i = 0; i < model->metrics->len; i++) {
        const struct metric_row *metric = g_ptr_array_index(model->metrics, i);
        const struct run_row *run = g_hash_table_lookup(model->runs_by_id, &metric->run_id);
        if (!run || !g_str_has_prefix(metric->name, PREFIX) || !(metric->value >= 0))
            continue;
        if (point && !same_point(point, run))
            continue;
        point = run;
        bool percent = g_strcmp0(metric->unit, "%") == 0;
        struct share share = {metric->name + strlen(PREFIX),
                              percent ? metric->value / 100 : metric->value};
        if (share.share <= 1)
            g_array_append_val(model->shares.items, share);
    }
    if (!point)
        return;
    g_array_sort(model->shares.items, compare_shares);
    model->shares.where =
        model_text(model, "%s, %s", page_label(point->page), preempt_short(point->preempt));
    model->shares.study = g_hash_table_lookup(point->tags, "source");
}
