// Which panels there are, and their order on the page. To add one: a file beside this one that
// defines panel_add_…, its declaration in panel.h, and a row here.
#include "charts/panel.h"

static void (*const kinds[])(struct report_model *, GPtrArray *) = {
    panel_add_heat,   panel_add_dots,   panel_add_machines, panel_add_touches,
    panel_add_shares, panel_add_flames, panel_add_waits,    panel_add_others,
};

static void free_panel(gpointer data)
{
    panel_free(data);
}

GPtrArray *panels_of(struct report_model *model)
{
    GPtrArray *panels = g_ptr_array_new_with_free_func(free_panel);
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        kinds[i](model, panels);
    return panels;
}
