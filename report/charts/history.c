// History: a panel for each series that spans several days, those whose level changed first.
#include <math.h>
#include <string.h>

#include "charts/panel.h"
#include "history/chart.h"
#include "spinfault/base.h"
#include "spinfault/format.h"

#define SERIES_MOST 4u
#define DAY_NS      (INT64_C(86400) * 1000000000)

// Runs of one session are repetitions, not history.
static bool spans_days(const struct history_series *series)
{
    unsigned days = 1;
    for (size_t i = 1; i < series->n && series->timed; i++)
        days += series->points[i].t_ns / DAY_NS != series->points[i - 1].t_ns / DAY_NS;
    return series->timed && days >= 3;
}

static void add_rows(struct panel *panel, const struct history_series *series)
{
    panel_columns(panel, "First run of the level", "Before", "After", "Ratio [95 %]", "p",
                  "Version", NULL);
    for (size_t i = 0; i < series->n_changes; i++) {
        const struct history_change *c = &series->changes[i];
        const char *from = series->points[c->at - 1].version, *to = series->points[c->at].version;
        g_autofree char *place = history_place(series, c->at, true);
        g_autofree char *before = format_with_unit(c->before, series->unit);
        g_autofree char *after = format_with_unit(c->after, series->unit);
        g_autofree char *ratio = format_ratio(c->ratio);
        g_autofree char *p = format_p(c->p);
        panel_row(panel, place, before, after,
                  isnan(c->lo)
                      ? panel_text(panel, "%s %s", verdict_symbol(c->verdict), ratio)
                      : panel_text(panel, "%s %s [%.3g, %.3g]%s", verdict_symbol(c->verdict), ratio,
                                   c->lo, c->hi, c->provisional ? ", provisional" : ""),
                  p,
                  from && to && strcmp(from, to) != 0 ? panel_text(panel, "%s → %s", from, to)
                                                      : (to ? to : "–"));
    }
}

static void add_panel(GPtrArray *panels, const struct history_series *series, unsigned number)
{
    g_autofree char *id = g_strdup_printf("history-%u", number);
    g_autofree char *title = history_title(series);
    struct panel *panel = panel_new(id, number == 1 ? "history" : id);
    size_t outliers = 0;
    for (size_t i = 0; i < series->n; i++)
        outliers += series->points[i].outlier;
    panel->nav = number == 1 ? "History" : NULL;
    panel->wide = true;
    panel->title = panel_text(panel, "History: %s", title);
    panel->sub =
        panel_text(panel, "%zu runs, %s is better. %s", series->n,
                   series->better == BETTER_LOWER ? "lower" : "higher",
                   series->n_changes
                       ? "A line is the median of a level; a dotted one is where it changes."
                       : "No change of level was found.");
    panel_key(panel, "dot", "sthp", "one run");
    if (series->n_changes) {
        panel_key(panel, "interval", "s4k", "median of a level");
        add_rows(panel, series);
    }
    panel->scene = history_scene(id, series);
    panel->caption =
        panel_text(panel, "Levels by E-divisive on logarithms, permutation test at 1 %%.%s%s",
                   outliers
                       ? " Runs with a dark edge are far from their level; they count all the same."
                       : "",
                   series->left_out ? " Older runs were left out." : "");
    g_ptr_array_add(panels, panel);
}

void panel_add_history(struct report_model *model, GPtrArray *panels)
{
    const struct history_result *history = model->history;
    unsigned number = 0;
    for (int changed = 1; changed >= 0 && history; changed--)
        for (guint i = 0; i < history->series->len && number < SERIES_MOST; i++) {
            const struct history_series *series = g_ptr_array_index(history->series, i);
            if ((series->n_changes > 0) == changed && spans_days(series))
                add_panel(panels, series, ++number);
        }
}
