// What else was measured: the grids that are not the main one, a panel for each benchmark and
// machine, with a group for each setup.
#include <string.h>

#include "charts/panel.h"
#include "spinfault/format.h"

#define GROUPS_MOST 12u
#define PANELS_MOST 6u

static bool same_family(const struct grid *a, const struct grid *b)
{
    return g_strcmp0(a->benchmark, b->benchmark) == 0 && g_strcmp0(a->workload, b->workload) == 0 &&
           g_strcmp0(a->machine, b->machine) == 0;
}

static void group_clear(gpointer data)
{
    g_array_free(((struct lane_group *)data)->lanes, TRUE);
}

static const char *lane_label(struct panel *panel, const struct grid *grid, const struct cell *cell)
{
    if (!*cell->preempt || grid->n_preempts == 1)
        return *cell->page ? cell->page : "–";
    return panel_text(panel, "%s %s", *cell->page ? cell->page : "–", preempt_short(cell->preempt));
}

static void add_group(struct panel *panel, const struct grid *grid, GArray *groups)
{
    struct lane_group group = {.label = *grid->label ? grid->label : "all runs"};
    group.lanes = g_array_new(FALSE, FALSE, sizeof(struct lane));
    const struct comparison *most = NULL;
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        const struct cell *cell = &grid->cells[i];
        const struct comparison *c = &cell->to_base;
        if (!cell->observations->len)
            continue;
        struct lane lane = {lane_label(panel, grid, cell), page_class(cell->page), cell,
                            isnan(c->ratio) ? NULL : c->reference};
        g_array_append_val(group.lanes, lane);
        if (!isnan(c->ratio) && (!most || fabs(log(c->ratio)) > fabs(log(most->ratio))))
            most = c;
        g_autofree char *p = format_p(c->p_holm);
        panel_row(panel, group.label, lane.label, cell_value(panel, grid, cell),
                  cell_runs_text(panel, cell), verdict_text(panel, c), p);
    }
    if (most) {
        group.verdict = verdict_text(panel, most);
        group.verdict_class = verdict_class(most->verdict);
    }
    g_array_append_val(groups, group);
}

static void add_panel(struct report_model *model, guint first, unsigned number, GPtrArray *panels)
{
    const struct grid *grid = g_ptr_array_index(model->grids, first);
    g_autofree char *id = g_strdup_printf("more-%u", number);
    struct panel *panel = panel_new(id, id);
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(struct lane_group));
    g_array_set_clear_func(groups, group_clear);
    panel_columns(panel, "Setup", "Cell", panel_text(panel, "%s [95 %%]", grid->unit), "Runs",
                  "Ratio to the first", "p (Holm)", NULL);
    unsigned left_out = 0;
    for (guint i = first; i < model->grids->len; i++) {
        const struct grid *other = g_ptr_array_index(model->grids, i);
        if (!same_family(other, grid))
            continue;
        if (groups->len < GROUPS_MOST)
            add_group(panel, other, groups);
        else
            left_out++;
    }
    panel->nav = number == 1 ? "More" : NULL;
    panel->wide = groups->len > 2;
    panel->title = panel_text(panel, "Also measured: %s%s%s%s%s", grid->benchmark,
                              grid->workload ? " " : "", grid->workload ? grid->workload : "",
                              grid->machine ? " on " : "", grid->machine ? grid->machine : "");
    panel->sub = panel_text(panel, "%s is better. Ratios are to the first lane of each group.",
                            grid->higher_is_better ? "Higher" : "Lower");
    panel_key(panel, "dot", "s4k", "one run");
    panel_key(panel, "interval", "s4k", "median and its 95 % interval (93.8 % with five runs)");
    panel->scene = dots_scene(id, panel->title, panel->sub, grid, groups);
    panel->table.summary = panel_text(panel, "Table: %u rows", panel->table.rows->len);
    if (left_out)
        panel->caption = panel_text(panel, "%u more setups are in the archive.", left_out);
    g_ptr_array_add(panels, panel);
}

void panel_add_others(struct report_model *model, GPtrArray *panels)
{
    unsigned number = 0;
    for (guint i = 1; i < model->grids->len && number < PANELS_MOST; i++) {
        const struct grid *grid = g_ptr_array_index(model->grids, i);
        bool done = false, machine = false;
        for (guint k = 1; k < i && !done; k++)
            done = same_family(g_ptr_array_index(model->grids, k), grid);
        // The per-machine chart has it already.
        for (guint k = 0; k < model->machines.items->len && !machine; k++)
            machine = g_strcmp0(g_array_index(model->machines.items, struct machine, k).name,
                                grid->machine) == 0;
        if (!done && !machine)
            add_panel(model, i, ++number, panels);
    }
}
