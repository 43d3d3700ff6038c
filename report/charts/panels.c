// Which panels there are, and their order on the page. To add one: a file beside this one that
// defines panel_add_…, its declaration in panel.h, and a row here.
#include "charts/panel.h"

static void (*const kinds[])(struct report_model *, GPtrArray *) = {
    panel_add_heat,    panel_add_dots,   panel_add_multiples, panel_add_machines,
    panel_add_touches, panel_add_waits,  panel_add_shares,    panel_add_flames,
    panel_add_diff,    panel_add_others, panel_add_history,
};

static void free_panel(gpointer data)
{
    panel_free(data);
}

// Panels that are not wide stand in pairs; one that would stand alone gets the whole width.
static void widen_odd_ones(GPtrArray *panels)
{
    struct panel *waiting = NULL;
    for (guint i = 0; i <= panels->len; i++) {
        struct panel *panel = i < panels->len ? g_ptr_array_index(panels, i) : NULL;
        if (panel && !panel->wide) {
            waiting = waiting ? NULL : panel;
        } else if (waiting) {
            waiting->wide = true;
            waiting = NULL;
        }
    }
}

GPtrArray *panels_of(struct report_model *model)
{
    GPtrArray *panels = g_ptr_array_new_with_free_func(free_panel);
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        kinds[i](model, panels);
    widen_odd_ones(panels);
    return panels;
}
