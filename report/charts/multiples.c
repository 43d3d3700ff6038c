// Small multiples: the grid of every setup, all in the same colours, so that one sees at once where
// the same thing happens and where it does not. Each is against its own base.
#include <string.h>

#include "charts/panel.h"
#include "spinfault/format.h"

#define MOST 24u

static bool tells(const GPtrArray *grids, const char *(*of)(const struct grid *grid))
{
    const struct grid *first = g_ptr_array_index(grids, 0);
    for (guint i = 1; i < grids->len; i++)
        if (g_strcmp0(of(g_ptr_array_index(grids, i)), of(first)) != 0)
            return true;
    return false;
}

static const char *benchmark(const struct grid *grid)
{
    return grid->benchmark;
}
static const char *workload(const struct grid *grid)
{
    return grid->workload;
}
static const char *machine(const struct grid *grid)
{
    return grid->machine;
}
static const char *label(const struct grid *grid)
{
    return grid->label;
}

// What tells a grid from the others: "simple update, m8g.24xlarge, clients=64".
static const char *name_of(struct panel *panel, const GPtrArray *grids, const struct grid *grid)
{
    static const char *(*const parts[])(const struct grid *) = {benchmark, workload, machine,
                                                                label};
    GString *name = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        const char *part = parts[i](grid);
        if (part && *part && tells(grids, parts[i]))
            g_string_append_printf(name, "%s%s", name->len ? ", " : "", part);
    }
    if (!name->len)
        g_string_append(name, grid->workload ? grid->workload : grid->benchmark);
    return panel_take(panel, g_string_free(name, FALSE));
}

static unsigned filled(const struct grid *grid)
{
    unsigned n = 0;
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++)
        n += grid->cells[i].observations->len > 0;
    return n;
}

// One line a cell that was run, but the base.
static void add_rows(struct panel *panel, const struct grid *grid, const char *name)
{
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        const struct cell *cell = &grid->cells[i];
        if (!cell->observations->len || cell == grid->base)
            continue;
        panel_row(panel, name, page_label(cell->page), preempt_short(cell->preempt),
                  cell_value(panel, grid, cell), cell_runs_text(panel, cell),
                  verdict_text(panel, &cell->to_base));
    }
}

void panel_add_multiples(struct report_model *model, GPtrArray *panels)
{
    g_autoptr(GPtrArray) grids = g_ptr_array_new();
    for (guint i = 0; i < model->grids->len; i++)
        if (filled(g_ptr_array_index(model->grids, i)) > 1)
            g_ptr_array_add(grids, g_ptr_array_index(model->grids, i));
    if (grids->len < 2)
        return;
    struct panel *panel = panel_new("multiples", "multiples");
    panel->nav = "Setups";
    panel->wide = true;
    panel->title = panel_text(panel, "The grid of each of %u setups", grids->len);
    panel->sub = "Ratios to the outlined cell of each; the colours mean the same everywhere.";
    panel->multiples = g_array_new(FALSE, FALSE, sizeof(struct multiple));
    panel_columns(panel, "Setup", "Pages", "Mode", "Value", "Runs", "Ratio to its base", NULL);
    for (guint i = 0; i < MIN(grids->len, MOST); i++) {
        const struct grid *grid = g_ptr_array_index(grids, i);
        struct multiple multiple = {name_of(panel, grids, grid), grid};
        g_array_append_val(panel->multiples, multiple);
        add_rows(panel, grid, multiple.name);
    }
    panel->table.summary = panel_text(panel, "Table: %u cells", panel->table.rows->len);
    if (grids->len > MOST)
        panel->caption = panel_text(panel, "%u more are in the archive.", grids->len - MOST);
    g_ptr_array_add(panels, panel);
}
