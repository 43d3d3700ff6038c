// When the samples were taken, and in which threads: a heat map with a column for every ten buckets
// of time, so that what comes and goes within a second is seen.
#include <math.h>

#include "array.h"
#include "charts/panel.h"
#include "charts/when.h"
#include "spinfault/base.h"
#include "spinfault/format.h"

#define AXIS       22.0
#define ROWS_SHOWN 12u

static char *seconds(int64_t ns)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(digits, sizeof digits, "%.6g", (double)ns / 1e9);
    return g_strconcat(digits, " s", NULL);
}

// What ran most, by `of` (bucket or thread) of the samples: an array of symbols, 0 where nothing
// did.
static uint32_t *leaders(const struct flame *flame, guint n, bool by_thread)
{
    const struct profile_samples *s = flame->samples;
    uint32_t *best = ARRAY_NEW(uint32_t, n);
    g_autofree uint64_t *most = ARRAY_NEW(uint64_t, n);
    g_autoptr(GHashTable) weights =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    for (guint i = 0; i < s->rows->len; i++) {
        const struct sample_row *row = &g_array_index(s->rows, struct sample_row, i);
        if (!by_thread && row->time_ns == INT64_MIN)
            continue;
        guint at = by_thread ? row->thread : flame_bucket(flame, row);
        uint32_t symbol = s->tree->nodes[row->node].number;
        const guint64 key = (guint64)at << 32 | symbol;
        uint64_t *weight = at < n ? g_hash_table_lookup(weights, &key) : NULL;
        if (at >= n)
            continue;
        if (!weight) {
            weight = g_new0(uint64_t, 1);
            g_hash_table_insert(weights, g_memdup2(&key, sizeof key), weight);
        }
        *weight += row->weight;
        if (*weight > most[at]) {
            most[at] = *weight;
            best[at] = symbol;
        }
    }
    return best;
}

static void draw_cells(struct scene *scene, const struct flame *flame, guint columns)
{
    static const char *const classes[] = {"f1", "f2", "f3", "f4"};
    double width = (100 - WHEN_LEFT) / columns;
    uint64_t most = 1;
    g_autofree uint32_t *leader = leaders(flame, flame->times->len, false);
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
        const char *leads = g_ptr_array_index(flame->samples->tree->symbols, leader[i]);
        scene_add(scene,
                  (struct mark){.kind = MARK_BOX,
                                .class = classes[(size_t)fmin(3, floor(part * 4))],
                                .x = WHEN_LEFT + width * column,
                                .w = width,
                                // The first moment of a column is at its foot.
                                .y = WHEN_CELL * (FLAME_ROWS - 1 - row),
                                .h = WHEN_CELL - 1,
                                .title = scene_text(scene, "from %s: %s of the busiest, most in %s",
                                                    at, share, leads)});
    }
}

static void draw_axis(struct scene *scene, const struct flame *flame, guint columns)
{
    g_autofree char *column = seconds(flame->bucket_ns * FLAME_ROWS);
    g_autofree char *end = seconds(flame->bucket_ns * FLAME_ROWS * (int64_t)columns);
    scene_label(scene, "tk", WHEN_LEFT, WHEN_CELL * FLAME_ROWS + 15, 0, ANCHOR_START, "0 s");
    scene_label(scene, "tk", 100, WHEN_CELL * FLAME_ROWS + 15, 0, ANCHOR_END,
                scene_text(scene, "%s", end));
    scene_label(scene, "tk", WHEN_LEFT, 11, -8, ANCHOR_END, scene_text(scene, "%s", column));
    scene_label(scene, "tk", WHEN_LEFT, WHEN_CELL * FLAME_ROWS - 3, -8, ANCHOR_END, "0");
}

static void add_threads(struct panel *panel, const struct flame *flame)
{
    const GPtrArray *threads = flame->samples->threads;
    guint shown = MIN(threads->len, ROWS_SHOWN);
    g_autofree uint32_t *leader = leaders(flame, shown, true);
    uint64_t all = flame->samples->tree->nodes[0].total;
    panel_columns(panel, "Thread", "Samples", "Share", "Most in", NULL);
    for (guint i = 0; i < shown; i++) {
        const struct thread_row *t = g_ptr_array_index(threads, i);
        g_autofree char *name = flame_thread(t);
        g_autofree char *samples = text_with_commas(t->samples);
        g_autofree char *share = format_percent((double)t->weight / (double)MAX(all, 1));
        panel_row(panel, name, samples, share,
                  g_ptr_array_index(flame->samples->tree->symbols, leader[i]));
    }
    panel->table.summary =
        panel_text(panel, "Table: the %u busiest of %u threads", shown, threads->len);
}

void panel_add_when(const struct flame *flame, bool first, GPtrArray *panels)
{
    if (flame->times->len < 2 * FLAME_ROWS)
        return;
    guint columns = (flame->times->len + FLAME_ROWS - 1) / FLAME_ROWS;
    g_autofree char *id = first ? g_strdup("when") : g_strconcat("when-", flame->id, NULL);
    struct panel *panel = panel_new(id, id);
    g_autofree char *column = seconds(flame->bucket_ns * FLAME_ROWS);
    g_autofree char *name = g_path_get_basename(flame->path);
    panel->nav = first ? "When" : NULL;
    panel->wide = true;
    panel->title = panel_text(panel, "When: `%s` in time", flame->event);
    panel->sub = panel_text(panel,
                            "All samples of `%s`, a column for every %s from bottom to top; "
                            "darker is busier. `spinfault report --between FROM,TO` draws the "
                            "flame graph of a part, and `--thread` that of one thread.",
                            name, column);
    panel->scene = scene_new(panel->id, "Heat map of samples in time", panel->sub,
                             WHEN_CELL * FLAME_ROWS + AXIS);
    panel->scene->class = panel_text(panel, "when of-%s", flame->id);
    draw_cells(panel->scene, flame, columns);
    draw_axis(panel->scene, flame, columns);
    add_threads(panel, flame);
    g_ptr_array_add(panels, panel);
}
