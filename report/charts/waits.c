// Wait events: one bar of shares for each point of the grid.
#include <string.h>

#include "charts/panel.h"
#include "spinfault/format.h"

#define ROW 62.0
#define BAR 32.0

static const char *colour_class(unsigned colour)
{
    static const char *const classes[] = {"w5", "w1", "w2", "w3", "w4", "w6", "w5"};
    return classes[colour];
}

static const char *item_name(struct panel *panel, const struct wait_item *item)
{
    return *item->type ? panel_text(panel, "%s / %s", item->type, item->event) : item->event;
}

static void draw_group(struct panel *panel, const struct wait_group *group, guint at)
{
    struct scene *scene = panel->scene;
    double top = ROW * at, x = 0;
    g_autofree char *total = text_with_commas(group->total);
    scene_label(scene, "rl", 0, top + 14, 0, ANCHOR_START, group->label);
    scene_label(scene, "rv", 100, top + 14, 0, ANCHOR_END, scene_text(scene, "%s waiting", total));
    for (guint i = 0; i < group->items->len; i++) {
        const struct wait_item *item = &g_array_index(group->items, struct wait_item, i);
        double share = (double)item->count / (double)group->total;
        g_autofree char *count = text_with_commas(item->count);
        g_autofree char *percent = format_percent(share);
        bool room = share > 0.2;
        scene_add(scene, (struct mark){.kind = MARK_BOX,
                                       .class = colour_class(item->colour),
                                       .x = x,
                                       .w = share * 100,
                                       .y = top + 22,
                                       .h = BAR,
                                       .text = room ? scene_text(scene, "%s %s", item->event, count)
                                                    : NULL,
                                       .minor = room ? scene_text(scene, "%s", percent) : NULL,
                                       .title = scene_text(scene, "%s: %s of %s (%s)", item->event,
                                                           count, total, percent)});
        x += share * 100;
    }
}

static const char *count_text(struct panel *panel, const struct wait_item *item)
{
    g_autofree char *busy = text_with_commas(item->count - item->idle - item->background);
    g_autofree char *idle = text_with_commas(item->idle);
    g_autofree char *background = text_with_commas(item->background);
    GString *text = g_string_new(NULL);
    if (item->count > item->idle + item->background)
        g_string_append(text, busy);
    if (item->idle)
        g_string_append_printf(text, "%s%s idle", text->len ? " + " : "", idle);
    if (item->background)
        g_string_append_printf(text, "%s%s background", text->len ? " + " : "", background);
    return panel_take(panel, g_string_free(text, FALSE));
}

// The table: every event of any group, ordered by its largest count.
static void add_rows(struct panel *panel, const GPtrArray *groups)
{
    g_autoptr(GHashTable) done = g_hash_table_new(g_str_hash, g_str_equal);
    for (;;) {
        const struct wait_item *best = NULL;
        for (guint g = 0; g < groups->len; g++) {
            const struct wait_group *group = g_ptr_array_index(groups, g);
            for (guint i = 0; i < group->items->len; i++) {
                const struct wait_item *item = &g_array_index(group->items, struct wait_item, i);
                if (!g_hash_table_contains(done, item_name(panel, item)) &&
                    (!best || item->count > best->count))
                    best = item;
            }
        }
        if (!best)
            return;
        const char *name = item_name(panel, best);
        g_hash_table_add(done, (char *)name);
        const char **cells = g_new0(const char *, groups->len + 1);
        cells[0] = name;
        for (guint g = 0; g < groups->len; g++) {
            const struct wait_group *group = g_ptr_array_index(groups, g);
            for (guint i = 0; i < group->items->len; i++) {
                const struct wait_item *item = &g_array_index(group->items, struct wait_item, i);
                if (strcmp(item->event, best->event) == 0 && strcmp(item->type, best->type) == 0)
                    cells[g + 1] = count_text(panel, item);
            }
        }
        struct data_row *row = g_new0(struct data_row, 1);
        row->cells = cells;
        row->swatch = colour_class(best->colour);
        g_ptr_array_add(panel->table.rows, row);
    }
}

void panel_add_waits(struct report_model *model, GPtrArray *panels)
{
    if (!model->waits->len)
        return;
    struct panel *panel = panel_new("waits", "waits");
    GString *title = g_string_new("What the sessions waited for: ");
    GString *desc = g_string_new(NULL);
    panel_columns(panel, "Wait event", NULL);
    for (guint g = 0; g < model->waits->len; g++) {
        const struct wait_group *group = g_ptr_array_index(model->waits, g);
        const struct wait_item *most = &g_array_index(group->items, struct wait_item, 0);
        g_autofree char *count = text_with_commas(most->count - most->idle - most->background);
        if (g < 3)
            g_string_append_printf(title, "%s%s in %s", g ? ", " : "", count, most->event);
        g_string_append_printf(desc, "%s: %s of %" G_GUINT64_FORMAT " waiting in %s. ",
                               group->label, count, group->total, most->event);
        g_ptr_array_add(panel->table.columns, (char *)group->label);
    }
    panel->nav = "Waits";
    panel->title = panel_text(panel, "%s", title->str);
    panel->sub = "Backends seen in each wait event. Width is the share of all that wait.";
    panel->scene = scene_new("we", "Wait events by share of waiting sessions",
                             g_strchomp(desc->str), ROW * model->waits->len);
    for (guint g = 0; g < model->waits->len; g++)
        draw_group(panel, g_ptr_array_index(model->waits, g), g);
    add_rows(panel, model->waits);
    panel->caption = "PostgreSQL reports SpinDelay only while a spinning backend sleeps, not while "
                     "it spins.";
    g_string_free(title, TRUE);
    g_string_free(desc, TRUE);
    g_ptr_array_add(panels, panel);
}
