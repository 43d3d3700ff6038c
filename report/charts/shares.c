// Where the CPU went according to printed shares: one box for each function, from zero.
#include "charts/panel.h"
#include "layout.h"
#include "spinfault/format.h"

#define ROW       30.0
#define ROWS_MOST 12u

void panel_add_shares(struct report_model *model, GPtrArray *panels)
{
    const struct shares *shares = &model->shares;
    guint n = MIN(shares->items->len, ROWS_MOST);
    if (!n)
        return;
    struct panel *panel = panel_new("shares", "shares");
    const struct share *first = NULL;
    for (guint i = 0; i < shares->items->len && !first; i++) {
        const struct share *s = &g_array_index(shares->items, struct share, i);
        first = symbol_waits(s->symbol) ? s : NULL;
    }
    if (!first)
        first = &g_array_index(shares->items, struct share, 0);
    g_autofree char *percent = format_percent(first->share);
    panel->nav = "CPU";
    panel->wide = true;
    panel->title = panel_text(panel, "Where the CPU went: %s in `%s`", percent, first->symbol);
    panel->sub = panel_text(panel,
                            "Shares of all samples as the source prints them (%s); a function's "
                            "share includes what it calls. The dark one waits for a lock.",
                            shares->where);
    panel_columns(panel, "Function", "Share", NULL);
    panel->scene = scene_new("sh", "Share of the CPU by function", shares->where, ROW * n);
    for (guint i = 0; i < n; i++) {
        const struct share *s = &g_array_index(shares->items, struct share, i);
        g_autofree char *text = format_percent(s->share);
        const char *label = scene_text(panel->scene, "%s", text);
        bool room = s->share > 0.3;
        scene_add(panel->scene,
                  (struct mark){.kind = MARK_BOX,
                                .class = symbol_waits(s->symbol) ? "f4" : "f1",
                                .w = s->share * 100,
                                .y = ROW * i,
                                .h = ROW - 3,
                                .text = room ? s->symbol : NULL,
                                .minor = label,
                                .title = scene_text(panel->scene, "%s: %s", s->symbol, text)});
        if (!room)
            scene_add(panel->scene, (struct mark){.kind = MARK_TEXT,
                                                  .class = "bt",
                                                  .x = s->share * 100,
                                                  .dx = 8,
                                                  .y = ROW * i + 18,
                                                  .text = s->symbol,
                                                  .minor = label});
        panel_row(panel, s->symbol, text);
    }
    panel->table.summary = "Table of functions";
    if (shares->study)
        panel->caption = panel_text(panel, "Source: %s.", shares->study);
    g_ptr_array_add(panels, panel);
}
