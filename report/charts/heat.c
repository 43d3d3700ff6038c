// The heat map: page size × preemption mode. On the page it is a table (templates/heat.xsl); the
// scene is for files.
#include <string.h>

#include "charts/panel.h"
#include "layout.h"
#include "spinfault/format.h"

#define TOP  34.0
#define ROW  64.0
#define LEFT 14.0 // percent, for the names of the rows

static const char *step_class(int step)
{
    static const char *const names[] = {"hm4", "hm3", "hm2", "hm1", "h0",
                                        "hp1", "hp2", "hp3", "hp4"};
    return names[step + 4];
}

static void add_cell(struct scene *scene, const struct grid *grid, size_t row, size_t column)
{
    const struct cell *cell = grid_cell(grid, row, column);
    double width = (100 - LEFT) / (double)grid->n_preempts;
    struct mark box = {.kind = MARK_BOX,
                       .x = LEFT + width * (double)column + 0.5,
                       .w = width - 1,
                       .y = TOP + ROW * (double)row,
                       .h = ROW - 6};
    double middle = box.x + box.w / 2;
    if (!cell->observations->len) {
        box.class = "missing";
        scene_add(scene, box);
        scene_label(scene, "tk", middle, box.y + box.h / 2 + 4, 0, ANCHOR_MIDDLE, "not run");
        return;
    }
    double ratio = cell == grid->base ? 1 : cell->to_base.ratio;
    g_autofree char *text = format_ratio(ratio);
    g_autofree char *value = format_with_unit(cell->centre, grid->unit);
    int step = ratio_step(ratio, grid->higher_is_better);
    box.class =
        cell == grid->base ? scene_text(scene, "%s base", step_class(step)) : step_class(step);
    box.title = scene_text(scene, "%s, %s: %s, %s", page_label(cell->page),
                           preempt_short(cell->preempt), text, value);
    scene_add(scene, box);
    const char *ink = step <= -4 || step >= 4 ? "rl inverse" : "rl";
    scene_label(scene, ink, middle, box.y + 26, 0, ANCHOR_MIDDLE, scene_text(scene, "%s", text));
    scene_label(scene, ink, middle, box.y + 45, 0, ANCHOR_MIDDLE, scene_text(scene, "%s", value));
}

static struct scene *heat_scene(const struct grid *grid, const char *title, const char *desc)
{
    struct scene *scene = scene_new("heat", title, desc, TOP + ROW * (double)grid->n_pages);
    double width = (100 - LEFT) / (double)grid->n_preempts;
    for (size_t c = 0; c < grid->n_preempts; c++)
        scene_label(scene, "rl", LEFT + width * ((double)c + 0.5), 20, 0, ANCHOR_MIDDLE,
                    preempt_short(grid->preempts[c]));
    for (size_t r = 0; r < grid->n_pages; r++) {
        scene_label(scene, "rl", 0, TOP + ROW * (double)r + 34, 0, ANCHOR_START,
                    *grid->pages[r] ? grid->pages[r] : "not recorded");
        for (size_t c = 0; c < grid->n_preempts; c++)
            add_cell(scene, grid, r, c);
    }
    return scene;
}

// What the source says about the numbers of a cell, when it says one thing of all.
static const char *cell_note(const struct cell *cell)
{
    const char *note = g_array_index(cell->observations, struct observation, 0).note;
    for (guint i = 1; i < cell->observations->len && note; i++)
        if (g_strcmp0(g_array_index(cell->observations, struct observation, i).note, note) != 0)
            note = NULL;
    return note;
}

void panel_add_heat(struct report_model *model, GPtrArray *panels)
{
    const struct grid *grid = model_grid(model);
    if (!grid)
        return;
    struct panel *panel = panel_new("grid", "grid");
    g_autofree char *metric = g_strdup(metric_label(grid->metric));
    *metric = g_ascii_toupper(*metric);
    panel->nav = "Grid";
    bool modes = grid_has_modes(grid), pages = grid_has_pages(grid);
    panel->title = panel_text(panel, "%s by %s%s%s", metric, pages || !modes ? "page size" : "",
                              pages && modes ? " and " : "", modes ? "preemption mode" : "");
    panel->sub = panel_text(panel,
                            "Ratio to %s%s%s, the outlined cell. Colour steps are equal factors; "
                            "%s is better.",
                            *grid->base->page ? grid->base->page : "", pages && modes ? " × " : "",
                            modes ? preempt_short(grid->base->preempt) : "",
                            grid->higher_is_better ? "higher" : "lower");
    panel->heat = grid;
    unsigned others = 0;
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++)
        others += grid->cells[i].others;
    if (others)
        panel->caption =
            panel_text(panel,
                       "%u more number%s of other sources or kernels for the same cells %s not "
                       "mixed in.",
                       others, others == 1 ? "" : "s", others == 1 ? "is" : "are");
    panel->scene = heat_scene(grid, panel->title, panel->sub);
    panel_columns(panel, "Page size", "Preemption", "Value", "Runs", "Ratio to base",
                  "Against the same pages", "Note", NULL);
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        const struct cell *cell = &grid->cells[i];
        g_autofree char *ratio = format_ratio(cell == grid->base ? 1 : cell->to_base.ratio);
        bool run = cell->observations->len > 0;
        panel_row(panel, *cell->page ? cell->page : "not recorded", preempt_short(cell->preempt),
                  cell_value(panel, grid, cell), cell_runs_text(panel, cell), run ? ratio : NULL,
                  run ? verdict_text(panel, &cell->to_reference) : NULL,
                  run ? cell_note(cell) : NULL);
    }
    panel->table.summary = "Table: every cell";
    g_ptr_array_add(panels, panel);
}
