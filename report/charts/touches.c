// First touches on a log axis. Points, not bars: on a log scale a bar has no honest start.
#include "charts/panel.h"
#include "layout.h"
#include "spinfault/format.h"

#define ROW  44.0
#define AXIS 24.0

static const char *touch_class(const struct touch *touch)
{
    return touch->page_bytes >= 1u << 30 ? "s1g" : touch->page_bytes >= 2u << 20 ? "s2m" : "s4k";
}

static void draw_row(struct scene *scene, const struct scale *scale, const struct touch *touch,
                     guint at)
{
    double top = ROW * at;
    g_autofree char *count = text_with_commas(touch->count);
    g_autofree char *divisor = text_with_commas(touch->divisor);
    scene_label(scene, "rl", 0, top + 18, 0, ANCHOR_START,
                scene_text(scene, "%s pages", touch->page));
    scene_add(scene, (struct mark){.kind = MARK_TEXT,
                                   .class = "rv",
                                   .x = 100,
                                   .y = top + 18,
                                   .anchor = ANCHOR_END,
                                   .text = scene_text(scene, "%s", count),
                                   .minor = touch->divisor > 1 ? scene_text(scene, "÷ %s", divisor)
                                                               : NULL});
    scene_line(scene, "gd", 0, top + 33, 100, 0);
    scene_add(scene, (struct mark){.kind = MARK_CIRCLE,
                                   .class = scene_text(scene, "pt %s", touch_class(touch)),
                                   .x = scale_at(scale, (double)touch->count),
                                   .y = top + 33,
                                   .r = 6,
                                   .title = scene_text(scene, "%s pages: %s first touches",
                                                       touch->page, count)});
}

static void draw_axis(struct scene *scene, const struct scale *scale)
{
    for (size_t i = 0; i < scale->n_ticks; i++) {
        double x = scale_at(scale, scale->ticks[i]);
        enum mark_anchor anchor = i == 0                    ? ANCHOR_START
                                  : i + 1 == scale->n_ticks ? ANCHOR_END
                                                            : ANCHOR_MIDDLE;
        g_autofree char *label = format_axis(scale->ticks[i]);
        scene_line(scene, "gr", x, 4, 0, scene->height - AXIS);
        scene_label(scene, "tk", x, scene->height - 6, 0, anchor, scene_text(scene, "%s", label));
    }
}

void panel_add_touches(struct report_model *model, GPtrArray *panels)
{
    const struct touches *touches = &model->touches;
    if (!touches->bytes)
        return;
    struct panel *panel = panel_new("faults", "first-touch");
    g_autofree char *bytes = text_bytes(touches->bytes);
    panel->nav = "Faults";
    panel->title = panel_text(panel, "%s of shared memory: how many first touches?", bytes);
    panel->sub = panel_text(panel,
                            "Pages of each size in `%s` = %s. Each process takes one minor fault "
                            "for each of them. Log scale.",
                            touches->name, bytes);
    panel_columns(panel, "Page", "Mapped by one fault", "First touches", "4 KiB ÷ this", NULL);
    GString *desc = g_string_new(NULL);
    for (guint i = 0; i < touches->items->len; i++) {
        const struct touch *t = &g_array_index(touches->items, struct touch, i);
        g_autofree char *mapped = text_with_commas(t->page_bytes);
        g_autofree char *count = text_with_commas(t->count);
        g_autofree char *divisor = text_with_commas(t->divisor);
        panel_row(panel, t->page, panel_text(panel, "%s B", mapped), count, divisor);
        g_string_append_printf(desc, "%s with %s pages. ", count, t->page);
    }
    g_autofree char *text = g_strconcat(desc->str, "Logarithmic axis.", NULL);
    g_string_free(desc, TRUE);
    panel->scene = scene_new("ft", panel->title, text, ROW * touches->items->len + AXIS);
    const struct touch *most = &g_array_index(touches->items, struct touch, 0);
    struct scale scale = scale_log(1, (double)most->count, 0, 100);
    draw_axis(panel->scene, &scale);
    for (guint i = 0; i < touches->items->len; i++)
        draw_row(panel->scene, &scale, &g_array_index(touches->items, struct touch, i), i);
    panel->caption = "Exact counts, so there is no interval. Page tables are per process: what one "
                     "process has mapped, the next one still has to.";
    g_ptr_array_add(panels, panel);
}
