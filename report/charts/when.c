// When the samples were taken, and in which threads: a heat map with a column for every ten buckets
// of time, so that what comes and goes within a second is seen.
#include <math.h>

#include "charts/panel.h"
#include "spinfault/base.h"
#include "spinfault/format.h"

#define LEFT       8.0 // percent
#define CELL       14.0
#define AXIS       22.0
#define ROWS_SHOWN 12u

static char *seconds(int64_t ns)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(digits, sizeof digits, "%.6g", (double)ns / 1e9);
    return g_strconcat(digits, " s", NULL);
}

static void draw_cells(struct scene *scene, const struct flame *flame, guint columns)
{
    static const char *const classes[] = {"f1", "f2", "f3", "f4"};
    double width = (100 - LEFT) / columns;
    uint64_t most = 1;
    for (guint i = 0; i < flame->times->len; i++)
        most = MAX(most, g_array_index(flame->times, uint64_t, i));
    for (guint i = 0; i < flame->times->len; i++) {
        uint64_t weight = g_array_index(flame->times, uint64_t, i);
        double part = (double)weight / (double)most;
        guint column = i / FLAME_ROWS, row = i % FLAME_ROWS;
        if (!weight)
            continue;
        g_autofree char *at = seconds((int64_t)i * flame->bucket_ns);
        g_autofree char *share = format_percent(part);
        scene_add(scene, (struct mark){.kind = MARK_BOX,
                                       .class = classes[(size_t)fmin(3, floor(part * 4))],
                                       .x = LEFT + width * column,
                                       .w = width,
                                       // The first moment of a column is at its foot.
                                       .y = CELL * (FLAME_ROWS - 1 - row),
                                       .h = CELL - 1,
                                       .title = scene_text(scene, "from %s: %s of the busiest", at,
                                                           share)});
    }
}

static void draw_axis(struct scene *scene, const struct flame *flame, guint columns)
{
    g_autofree char *column = seconds(flame->bucket_ns * FLAME_ROWS);
    g_autofree char *end = seconds(flame->bucket_ns * FLAME_ROWS * (int64_t)columns);
    scene_label(scene, "tk", LEFT, CELL * FLAME_ROWS + 15, 0, ANCHOR_START, "0 s");
    scene_label(scene, "tk", 100, CELL * FLAME_ROWS + 15, 0, ANCHOR_END,
                scene_text(scene, "%s", end));
    scene_label(scene, "tk", LEFT, 11, -8, ANCHOR_END, scene_text(scene, "%s", column));
    scene_label(scene, "tk", LEFT, CELL * FLAME_ROWS - 3, -8, ANCHOR_END, "0");
}

static void add_threads(struct panel *panel, const struct flame *flame)
{
    uint64_t all = 0;
    for (guint i = 0; i < flame->samples->threads->len; i++)
        all += ((struct thread_row *)g_ptr_array_index(flame->samples->threads, i))->weight;
    panel_columns(panel, "Thread", "Samples", "Share", NULL);
    for (guint i = 0; i < MIN(flame->samples->threads->len, ROWS_SHOWN); i++) {
        const struct thread_row *t = g_ptr_array_index(flame->samples->threads, i);
        g_autofree char *samples = text_with_commas(t->samples);
        g_autofree char *share = format_percent((double)t->weight / (double)MAX(all, 1));
        panel_row(panel,
                  t->tid < 0
                      ? panel_text(panel, "%s", t->comm ? t->comm : "unknown")
                      : panel_text(panel, "%s %" G_GINT64_FORMAT, t->comm ? t->comm : "", t->tid),
                  samples, share);
    }
    panel->table.summary = panel_text(panel, "Table: the %u busiest of %u threads",
                                      panel->table.rows->len, flame->samples->threads->len);
}

void panel_add_when(struct report_model *model, GPtrArray *panels)
{
    const struct flame *flame = model->flames->len ? g_ptr_array_index(model->flames, 0) : NULL;
    if (!flame || flame->times->len < 2 * FLAME_ROWS)
        return;
    guint columns = (flame->times->len + FLAME_ROWS - 1) / FLAME_ROWS;
    struct panel *panel = panel_new("when", "when");
    g_autofree char *column = seconds(flame->bucket_ns * FLAME_ROWS);
    g_autofree char *name = g_path_get_basename(flame->path);
    panel->nav = "When";
    panel->wide = true;
    panel->title = panel_text(panel, "When: `%s` in time", flame->event);
    panel->sub = panel_text(panel,
                            "All samples of `%s`, a column for every %s from bottom to top; "
                            "darker is busier. `spinfault report --between FROM,TO` draws the "
                            "flame graph of a part, and `--thread` that of one thread.",
                            name, column);
    panel->scene =
        scene_new("when", "Heat map of samples in time", panel->sub, CELL * FLAME_ROWS + AXIS);
    draw_cells(panel->scene, flame, columns);
    draw_axis(panel->scene, flame, columns);
    add_threads(panel, flame);
    g_ptr_array_add(panels, panel);
}
