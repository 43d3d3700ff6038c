// compare as a table for a terminal, 80 columns wide unless there is more.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "compare_output.h"
#include "spinfault/base.h"
#include "spinfault/format.h"

#define GAPS_SHOWN 5u

static void print_heading(const struct compare_view *view, const struct compare_cell *cell)
{
    const struct compare_result *result = view->result;
    bool bare = !cell->unit || !*cell->unit || strcmp(cell->unit, cell->metric) == 0 ||
                strcmp(cell->unit, "1") == 0;
    printf("%s%s%s, %s is better; a difference counts beyond %.3g %%\n", cell->metric,
           bare ? "" : " in ", bare ? "" : cell->unit, cell->higher_is_better ? "higher" : "lower",
           result->margin * 100);
}

static void add_cell(struct columns *table, const struct compare_cell *cell, bool tested)
{
    char *ends[] = {compare_runs_text(cell), compare_verdict_text(cell)};
    char *const cells[] = {
        g_strdup(cell->label),
        compare_centre_text(cell, &cell->base),
        compare_centre_text(cell, &cell->fresh),
        compare_ratio_text(cell->ratio),
        tested ? compare_interval_text(cell) : ends[0],
        tested && !isnan(cell->p_holm) ? format_p(cell->p_holm)
        : tested                       ? NULL
                                       : ends[1],
        ends[0],
        ends[1],
    };
    columns_add(table, cells);
}

static void print_mean(const struct compare_result *result, const char *metric)
{
    for (guint i = 0; i < result->means->len; i++) {
        const struct compare_mean *mean = g_ptr_array_index(result->means, i);
        if (strcmp(mean->metric, metric) != 0)
            continue;
        g_autofree char *ratio = compare_ratio_text(mean->ratio);
        g_autofree char *least = compare_ratio_text(mean->least);
        g_autofree char *most = compare_ratio_text(mean->most);
        printf("Geometric mean of %u cells: %s, from %s to %s.\n", mean->cells, ratio, least, most);
    }
}

// The cells of one metric, which stand together. Where none has an interval, there is no column for
// them.
static guint print_metric(const struct compare_view *view, guint first)
{
    static const char *const heads[] = {"/cell", ">base", ">new",    ">ratio", ">95 % interval",
                                        ">p",    ">runs", "verdict", NULL};
    static const char *const short_heads[] = {"/cell", ">base",   ">new", ">ratio",
                                              ">runs", "verdict", NULL};
    const GPtrArray *cells = view->result->cells;
    const struct compare_cell *like = g_ptr_array_index(cells, first);
    guint end = first;
    bool tested = false;
    for (; end < cells->len; end++) {
        const struct compare_cell *cell = g_ptr_array_index(cells, end);
        if (strcmp(cell->metric, like->metric) != 0)
            break;
        tested |= !isnan(cell->p_holm) || !isnan(cell->lo);
    }
    struct columns *table = columns_new(tested ? heads : short_heads);
    for (guint i = first; i < end; i++)
        add_cell(table, g_ptr_array_index(cells, i), tested);
    print_heading(view, like);
    columns_print(table, view->verbose ? 0 : columns_width());
    print_mean(view->result, like->metric);
    return end;
}

static bool several_metrics(const struct compare_result *result)
{
    const char *first = NULL;
    for (guint i = 0; i < result->gaps->len; i++) {
        const struct compare_gap *gap = g_ptr_array_index(result->gaps, i);
        if (first && strcmp(first, gap->metric) != 0)
            return true;
        first = gap->metric;
    }
    return false;
}

static void print_gaps(const struct compare_result *result, bool all)
{
    bool named = several_metrics(result);
    guint shown = all ? result->gaps->len : MIN(result->gaps->len, GAPS_SHOWN);
    for (guint i = 0; i < shown; i++) {
        const struct compare_gap *gap = g_ptr_array_index(result->gaps, i);
        printf("Only in %s, %zu run%s: %s%s%s\n", gap->in_base ? "base" : "new", gap->n,
               gap->n == 1 ? "" : "s", named ? gap->metric : "", named ? ", " : "", gap->label);
    }
    if (shown < result->gaps->len)
        printf("%u more are missing on one side; -v lists them.\n", result->gaps->len - shown);
    if (shown)
        printf("\n");
}

bool compare_print_text(const struct compare_view *view, GError **error)
{
    (void)error;
    const struct compare_result *result = view->result;
    printf("base: %s\nnew:  %s\n\n", view->base, view->fresh);
    for (guint i = 0; i < result->cells->len;) {
        i = print_metric(view, i);
        printf("\n");
    }
    print_gaps(result, view->verbose);
    if (!view->quiet) {
        g_autoptr(GPtrArray) notes = compare_notes(result);
        for (guint i = 0; i < notes->len; i++)
            printf("%s\n", (char *)g_ptr_array_index(notes, i));
    }
    g_autofree char *counts = compare_counts_text(result);
    printf("%s Gate: %s.\n", counts, compare_gate(result));
    return true;
}
