// The per-machine chart: for every machine, what the grid's main comparison is there.
#include "array.h"
#include <string.h>

#include "model/setup.h"

// The centre of all points of one machine and study under one mode; NAN when there are none.
static double centre(const GPtrArray *points, const char *machine, const char *study,
                     const char *page, const char *preempt, const char *workload)
{
    g_autofree double *x = ARRAY_NEW(double, points->len + 1);
    size_t n = 0;
    for (guint i = 0; i < points->len; i++) {
        const struct point *p = g_ptr_array_index(points, i);
        if (g_strcmp0(p->run->instance, machine) == 0 && g_strcmp0(p->study, study) == 0 &&
            g_strcmp0(p->run->page, page) == 0 && g_strcmp0(p->run->preempt, preempt) == 0 &&
            g_strcmp0(p->run->workload, workload) == 0)
            x[n++] = p->metric->value;
    }
    return stats_median(x, n);
}

// "m8g" of "m8g.24xlarge".
static const char *family_of(struct report_model *model, const char *machine)
{
    g_autofree char *family = g_strndup(machine, strcspn(machine, ".-_ "));
    return model_keep(model, family);
}

static int compare_machines(const void *a, const void *b)
{
    const struct machine *x = a, *y = b;
    int order = strcmp(x->family, y->family);
    if (order == 0)
        order = (x->vcpus > y->vcpus) - (x->vcpus < y->vcpus);
    return order ? order : strcmp(x->name, y->name);
}

static void add_machines(struct report_model *model, const GPtrArray *points,
                         const struct grid *grid, bool only_main)
{
    struct machines *all = &model->machines;
    const char *study = grid->base->study;
    g_autoptr(GHashTable) tried = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < all->items->len; i++)
        g_hash_table_add(tried, g_strdup(g_array_index(all->items, struct machine, i).name));
    for (guint i = 0; i < points->len; i++) {
        const struct point *p = g_ptr_array_index(points, i);
        const struct run_row *run = p->run;
        if (!run->instance || run->vcpus <= 0 || g_strcmp0(run->workload, grid->workload) != 0 ||
            (only_main && g_strcmp0(p->study, study) != 0))
            continue;
        g_autofree char *key = g_strconcat(run->instance, "\001", p->study, NULL);
        if (g_hash_table_contains(tried, run->instance) ||
            !g_hash_table_add(tried, g_steal_pointer(&key)))
            continue;
        struct machine m = {.name = run->instance, .arch = run->arch, .vcpus = run->vcpus};
        m.study = p->study;
        m.slow = centre(points, m.name, m.study, all->page, all->preempt, grid->workload);
        m.fast = centre(points, m.name, m.study, all->page, all->against, grid->workload);
        m.ratio = m.slow / m.fast;
        if (isnan(m.ratio))
            continue;
        m.family = family_of(model, m.name);
        g_hash_table_add(tried, g_strdup(m.name));
        g_array_append_val(all->items, m);
    }
}

static void mean_over(struct machines *all)
{
    g_autofree double *ratios = ARRAY_NEW(double, all->items->len + 1);
    for (guint i = 0; i < all->items->len; i++)
        ratios[i] = g_array_index(all->items, struct machine, i).ratio;
    stats_geomean(ratios, all->items->len, 0.95, &all->mean);
}

// The comparison of the base's row that differs most from 1.
static const struct cell *main_cell(const struct grid *grid)
{
    const struct cell *best = NULL;
    for (size_t c = 0; c < grid->n_preempts; c++)
        for (size_t r = 0; r < grid->n_pages; r++) {
            const struct cell *cell = grid_cell(grid, r, c);
            if (strcmp(cell->page, grid->base->page) != 0 || isnan(cell->to_base.ratio))
                continue;
            if (!best || fabs(log(cell->to_base.ratio)) > fabs(log(best->to_base.ratio)))
                best = cell;
        }
    return best;
}

// Only machines of a known kind are compared.
static bool any_instance(const struct report_model *model)
{
    for (guint i = 0; i < model->runs->len; i++)
        if (((const struct run_row *)g_ptr_array_index(model->runs, i))->instance)
            return true;
    return false;
}

void model_add_machines(struct report_model *model)
{
    const struct grid *grid = model_grid(model);
    const struct cell *cell = grid ? main_cell(grid) : NULL;
    if (!cell || !*cell->preempt || !*cell->page)
        return;
    model->machines.page = cell->page;
    model->machines.preempt = cell->preempt;
    model->machines.against = grid->base->preempt;
    if (!any_instance(model))
        return;
    g_autoptr(GPtrArray) setups = setup_split(model, grid->metric);
    g_autoptr(GPtrArray) points = g_ptr_array_new();
    for (guint i = 0; i < setups->len; i++) {
        const struct setup *setup = g_ptr_array_index(setups, i);
        for (guint k = 0; k < setup->points->len; k++)
            g_ptr_array_add(points, &g_array_index(setup->points, struct point, k));
    }
    // The study of the heading speaks for its machines; others fill in what it has not.
    add_machines(model, points, grid, true);
    add_machines(model, points, grid, false);
    if (model->machines.items->len < 2) {
        g_array_set_size(model->machines.items, 0);
        return;
    }
    g_array_sort(model->machines.items, compare_machines);
    mean_over(&model->machines);
}
