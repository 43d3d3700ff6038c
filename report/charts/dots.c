// Throughput as dots: a group for each page size, a lane for each preemption mode. Never bars: a
// dot shows each run, and a bar would hide how few there are.
//   a published number          hollow diamond, no interval
//   up to four runs             a dot each
//   five and more               dots, median, 95 % interval of the median
#include "array.h"

#include <stdlib.h>
#include <string.h>

#include "charts/panel.h"
#include "layout.h"
#include "spinfault/format.h"

#define LEFT       17.0 // percent: the lanes' names stand before it
#define LABEL      16.0 // percent: what a value beside its mark may need
#define DOTS_MOST  60u  // drawn in one lane
#define ROWS_OPEN  8u   // a longer table is folded
#define NOTES_MOST 4u   // remarks of sources below the chart
#define HEADING    24.0
#define LANE       25.0
#define GAP        10.0
#define AXIS       26.0

// The value stands beside its marks, away from the line that shows the difference to the reference,
// and on the other side when that would leave the chart.
static void draw_value(struct scene *scene, const struct grid *grid, const struct scale *scale,
                       const struct lane *lane, double y)
{
    const struct cell *cell = lane->cell;
    double lo = cell->centre, hi = cell->centre;
    for (guint i = 0; i < cell->observations->len; i++) {
        double v = g_array_index(cell->observations, struct observation, i).value;
        lo = fmin(lo, v);
        hi = fmax(hi, v);
    }
    double from = scale_at(scale, lo), to = scale_at(scale, hi);
    bool left = label_goes_left(to);
    if (lane->reference) {
        double there = scale_at(scale, lane->reference->centre);
        left = there > scale_at(scale, cell->centre);
        if (left && from < LEFT + LABEL) {
            left = false;
            to = fmax(to, there);
        } else if (!left && label_goes_left(to) && to > 100 - LABEL) {
            left = true;
            from = fmin(from, there);
        }
    }
    g_autofree char *value = format_with_unit(cell->centre, grid->unit);
    scene_label(scene, "mv", left ? from : to, y + 4, left ? -12 : 12,
                left ? ANCHOR_END : ANCHOR_START, scene_text(scene, "%s", value));
}

static int compare_values(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Every run; of very many, some evenly by rank, the smallest and the largest among them.
static void draw_dots(struct scene *scene, const struct grid *grid, const struct scale *scale,
                      const struct lane *lane, double y)
{
    static const double jitter[] = {0, -4, 4};
    const GArray *runs = lane->cell->observations;
    guint drawn = MIN(runs->len, DOTS_MOST);
    g_autofree double *values = ARRAY_NEW(double, runs->len);
    for (guint i = 0; i < runs->len; i++)
        values[i] = g_array_index(runs, struct observation, i).value;
    if (drawn < runs->len)
        qsort(values, runs->len, sizeof *values, compare_values);
    for (guint i = 0; i < drawn; i++) {
        guint at = drawn < runs->len ? (guint)((uint64_t)i * (runs->len - 1) / (drawn - 1)) : i;
        g_autofree char *value = format_with_unit(values[at], grid->unit);
        const char *title =
            drawn < runs->len
                ? scene_text(scene, "%s, rank %u of %u: %s", lane->label, at + 1, runs->len, value)
                : scene_text(scene, "%s, run %u: %s", lane->label, at + 1, value);
        scene_add(scene, (struct mark){.kind = MARK_CIRCLE,
                                       .class = scene_text(scene, "dot %s", lane->class),
                                       .x = scale_at(scale, values[at]),
                                       .y = y + jitter[i % G_N_ELEMENTS(jitter)],
                                       .r = 4.5,
                                       .title = title});
    }
}

static void draw_runs(struct scene *scene, const struct grid *grid, const struct scale *scale,
                      const struct lane *lane, double y)
{
    const struct cell *cell = lane->cell;
    if (cell->has_interval) {
        double from = scale_at(scale, cell->interval.lo), to = scale_at(scale, cell->interval.hi);
        g_autofree char *lo = format_with_unit(cell->interval.lo, grid->unit);
        g_autofree char *hi = format_with_unit(cell->interval.hi, grid->unit);
        const char *title = scene_text(scene, "%s: %.1f %% interval of the median, %s to %s",
                                       lane->label, cell->interval.level * 100, lo, hi);
        scene_add(scene, (struct mark){.kind = MARK_LINE,
                                       .class = scene_text(scene, "ci %s", lane->class),
                                       .x = from,
                                       .w = to - from,
                                       .y = y,
                                       .title = title});
    }
    draw_dots(scene, grid, scale, lane, y);
    if (cell->runs >= 3)
        scene_line(scene, "cm", scale_at(scale, cell->centre), y - 7, 0, 14);
}

static void draw_lane(struct scene *scene, const struct grid *grid, const struct scale *scale,
                      const struct lane *lane, double y)
{
    const struct cell *cell = lane->cell;
    scene_label(scene, "ll", 0, y + 4, 0, ANCHOR_START, lane->label);
    scene_line(scene, "gd", LEFT, y, 100 - LEFT, 0);
    double x = scale_at(scale, cell->centre);
    if (lane->reference) {
        double from = scale_at(scale, lane->reference->centre);
        scene_line(scene, scene_text(scene, "db %s", lane->class), MIN(from, x), y, fabs(x - from),
                   0);
        scene_line(scene, "rf", from, y - LANE + 8, 0, LANE - 4);
    }
    if (cell->runs) {
        draw_runs(scene, grid, scale, lane, y);
    } else {
        g_autofree char *value = format_with_unit(cell->centre, grid->unit);
        const char *runs =
            cell->stated > 1 ? scene_text(scene, "mean of %" G_GUINT64_FORMAT " runs", cell->stated)
                             : "number of runs not stated";
        scene_add(scene,
                  (struct mark){.kind = MARK_DIAMOND,
                                .class = scene_text(scene, "dia %s", lane->class),
                                .x = x,
                                .y = y,
                                .r = 7,
                                .title = scene_text(scene, "%s: %s, %s, spread not published",
                                                    lane->label, value, runs)});
    }
    draw_value(scene, grid, scale, lane, y);
}

static double largest(const GArray *groups)
{
    double most = 0;
    for (guint g = 0; g < groups->len; g++) {
        const struct lane_group *group = &g_array_index(groups, struct lane_group, g);
        for (guint i = 0; i < group->lanes->len; i++) {
            const struct cell *cell = g_array_index(group->lanes, struct lane, i).cell;
            for (guint k = 0; k < cell->observations->len; k++)
                most = fmax(most, g_array_index(cell->observations, struct observation, k).value);
        }
    }
    return most;
}

static void draw_axis(struct scene *scene, const struct scale *scale, const char *unit)
{
    double bottom = scene->height - AXIS + 6;
    for (size_t i = 0; i < scale->n_ticks; i++) {
        double x = scale_at(scale, scale->ticks[i]);
        bool last = i + 1 == scale->n_ticks;
        g_autofree char *tick = strcmp(unit, "s") == 0 ? format_with_unit(scale->ticks[i], unit)
                                                       : format_axis(scale->ticks[i]);
        scene_line(scene, "gr", x, 4, 0, bottom - 4);
        scene_label(scene, "tk", x, bottom + 15, 0, last ? ANCHOR_END : ANCHOR_MIDDLE,
                    scene_text(scene, "%s", tick));
    }
}

struct scene *dots_scene(const char *id, const char *title, const char *desc,
                         const struct grid *grid, const GArray *groups)
{
    double height = AXIS;
    for (guint g = 0; g < groups->len; g++) {
        const struct lane_group *group = &g_array_index(groups, struct lane_group, g);
        height += HEADING + LANE * group->lanes->len + (g ? GAP : 0);
    }
    struct scene *scene = scene_new(id, title, desc, height);
    struct scale scale = scale_linear(largest(groups), LEFT, 100);
    draw_axis(scene, &scale, grid->unit);
    double y = 0;
    for (guint g = 0; g < groups->len; g++) {
        const struct lane_group *group = &g_array_index(groups, struct lane_group, g);
        y += g ? GAP : 0;
        scene_label(scene, "rl", 0, y + 16, 0, ANCHOR_START, group->label);
        if (group->verdict)
            scene_label(scene, scene_text(scene, "rv %s", group->verdict_class), 100, y + 16, 0,
                        ANCHOR_END, group->verdict);
        y += HEADING;
        for (guint i = 0; i < group->lanes->len; i++, y += LANE)
            draw_lane(scene, grid, &scale, &g_array_index(group->lanes, struct lane, i),
                      y + LANE / 2);
    }
    return scene;
}

static void group_clear(gpointer data)
{
    g_array_free(((struct lane_group *)data)->lanes, TRUE);
}

// One group for a row of the grid; the verdict is that of the cell that differs most in it.
static void add_group(struct panel *panel, const struct grid *grid, size_t row, GArray *groups)
{
    struct lane_group group = {.label = page_label(grid->pages[row])};
    group.lanes = g_array_new(FALSE, FALSE, sizeof(struct lane));
    const struct comparison *worst = NULL;
    for (size_t c = 0; c < grid->n_preempts; c++) {
        const struct cell *cell = grid_cell(grid, row, c);
        if (!cell->observations->len)
            continue;
        const struct comparison *here = &cell->to_reference;
        bool in_row = here->reference && strcmp(here->reference->page, cell->page) == 0;
        const char *label = grid_has_modes(grid) ? preempt_short(cell->preempt) : "all runs";
        struct lane lane = {label, page_class(cell->page), cell,
                            in_row && !isnan(here->ratio) ? here->reference : NULL};
        g_array_append_val(group.lanes, lane);
        if (lane.reference && (!worst || fabs(log(here->ratio)) > fabs(log(worst->ratio))))
            worst = here;
    }
    if (worst) {
        group.verdict = verdict_text(panel, worst);
        group.verdict_class = verdict_class(worst->verdict);
    } else if (group.lanes->len == 1) {
        const struct comparison *only =
            &g_array_index(group.lanes, struct lane, 0).cell->to_reference;
        group.verdict = isnan(only->ratio) ? NULL : verdict_text(panel, only);
        group.verdict_class = verdict_class(only->verdict);
    }
    if (group.lanes->len)
        g_array_append_val(groups, group);
    else
        g_array_free(group.lanes, TRUE);
}

// The unit; where values carry their own ("200 ms"), what is measured.
static const char *unit_heading(const struct grid *grid)
{
    bool own = strcmp(grid->unit, "s") == 0 || strcmp(grid->unit, "B") == 0 || !*grid->unit;
    return own ? metric_label(grid->metric) : grid->unit;
}

static void add_table(struct panel *panel, const struct grid *grid)
{
    bool tested = false;
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++)
        tested |= !isnan(grid->cells[i].to_reference.p_holm);
    panel_columns(panel, "Pages", "Mode", unit_heading(grid), "Runs",
                  tested ? "Ratio [95 %]" : "Ratio", tested ? "p (Holm)" : NULL, NULL);
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        const struct cell *cell = &grid->cells[i];
        if (!cell->observations->len)
            continue;
        g_autofree char *p = format_p(cell->to_reference.p_holm);
        panel_row(panel, *cell->page ? cell->page : "–",
                  grid_has_modes(grid) ? preempt_short(cell->preempt) : NULL,
                  cell_value(panel, grid, cell), cell_runs_text(panel, cell),
                  verdict_text(panel, &cell->to_reference), p);
    }
    if (panel->table.rows->len > ROWS_OPEN)
        panel->table.summary = panel_text(panel, "Table: %u cells", panel->table.rows->len);
}

// What sources add to their numbers, each remark once with the page sizes it is about. Many
// remarks stay in the table of the heat map.
static void append_notes(GString *text, const struct grid *grid)
{
    g_autoptr(GHashTable) cells = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    g_autoptr(GPtrArray) notes = g_ptr_array_new();
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        const struct cell *cell = &grid->cells[i];
        if (!cell->observations->len)
            continue;
        const char *note = g_array_index(cell->observations, struct observation, 0).note;
        if (!note)
            continue;
        const char *before = g_hash_table_lookup(cells, note);
        if (!before)
            g_ptr_array_add(notes, (char *)note);
        g_hash_table_insert(cells, (char *)note,
                            g_strdup_printf("%s%s%s × %s", before ? before : "", before ? ", " : "",
                                            cell->page, preempt_short(cell->preempt)));
    }
    for (guint i = 0; i < notes->len && notes->len <= NOTES_MOST; i++) {
        const char *note = g_ptr_array_index(notes, i);
        g_string_append_printf(text, "%s: %s. ", (char *)g_hash_table_lookup(cells, note), note);
    }
}

static const char *caption(struct panel *panel, const struct grid *grid)
{
    bool published = false, mixed = false;
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        published |= grid->cells[i].observations->len && !grid->cells[i].runs;
        mixed |= grid->cells[i].to_reference.mixed && !isnan(grid->cells[i].to_reference.ratio);
    }
    GString *text = g_string_new(NULL);
    if (published)
        g_string_append(text,
                        "A hollow mark is one published number without the runs behind it, so "
                        "it has no interval. ");
    if (mixed)
        g_string_append(text, "* The two numbers come from different sources. ");
    append_notes(text, grid);
    return panel_take(panel, g_strchomp(g_string_free(text, FALSE)));
}

void panel_add_dots(struct report_model *model, GPtrArray *panels)
{
    const struct grid *grid = model_grid(model);
    if (!grid)
        return;
    struct panel *panel = panel_new("runs", "throughput");
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(struct lane_group));
    g_array_set_clear_func(groups, group_clear);
    bool runs = false, published = false;
    for (size_t r = 0; r < grid->n_pages; r++)
        add_group(panel, grid, r, groups);
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        runs |= grid->cells[i].runs > 0;
        published |= grid->cells[i].observations->len && !grid->cells[i].runs;
    }
    bool tps = strcmp(grid->metric, "tps") == 0;
    panel->nav = tps ? "Throughput" : "Runs";
    g_autofree char *metric = g_strdup(metric_label(grid->metric));
    *metric = g_ascii_toupper(*metric);
    panel->title = panel_text(panel, "%s%s%s", metric, grid->machine ? " on " : "",
                              grid->machine ? grid->machine : "");
    const char *better = grid->higher_is_better ? "Higher" : "Lower";
    if (grid_has_modes(grid))
        panel->sub = panel_text(panel, "%s is better. Ratios are to %s with the same pages.",
                                better, preempt_short(grid->base->preempt));
    else
        panel->sub = panel_text(panel, "%s is better. Ratios are to %s.", better,
                                page_label(grid->base->page));
    if (published)
        panel_key(panel, "diamond", "s4k", "published number");
    if (runs)
        panel_key(panel, "dot", "s4k", "one run");
    if (runs)
        panel_key(panel, "interval", "s4k", "median and its 95 % interval (93.8 % with five runs)");
    GString *desc = g_string_new(NULL);
    add_table(panel, grid);
    for (guint i = 0; i < panel->table.rows->len; i++) {
        const struct data_row *row = g_ptr_array_index(panel->table.rows, i);
        g_string_append_printf(desc, "%s%s%s: %s, %s. ", row->cells[0], row->cells[1] ? ", " : "",
                               row->cells[1] ? row->cells[1] : "", row->cells[2], row->cells[4]);
    }
    g_autofree char *text = g_strchomp(g_string_free(desc, FALSE));
    panel->scene = dots_scene("tp", panel->title, text, grid, groups);
    panel->caption = caption(panel, grid);
    g_ptr_array_add(panels, panel);
}
