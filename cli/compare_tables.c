// compare as Markdown, for a pull request, and as CSV.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare_output.h"
#include "spinfault/base.h"
#include "spinfault/format.h"

// Text inside a cell of a Markdown table.
static void put_escaped(const char *text)
{
    for (; *text; text++) {
        if (strchr("|\\`*_[]<>", *text))
            putchar('\\');
        putchar(*text);
    }
}

static void put_markdown_cell(const struct compare_cell *cell)
{
    g_autofree char *base = compare_centre_text(cell, &cell->base);
    g_autofree char *fresh = compare_centre_text(cell, &cell->fresh);
    g_autofree char *ratio = compare_ratio_text(cell->ratio);
    g_autofree char *interval = compare_interval_text(cell);
    g_autofree char *p = format_p(cell->p_holm);
    g_autofree char *runs = compare_runs_text(cell);
    g_autofree char *verdict = compare_verdict_text(cell);
    bool strong = cell->verdict == VERDICT_SLOWER || cell->verdict == VERDICT_FASTER;
    printf("| ");
    put_escaped(cell->metric);
    printf(" | ");
    put_escaped(cell->label);
    printf(" | %s | %s | %s | %s | %s | %s | %s%s%s |\n", base, fresh, ratio,
           interval ? interval : "–", p, runs, strong ? "**" : "", verdict, strong ? "**" : "");
}

bool compare_print_markdown(const struct compare_view *view, GError **error)
{
    (void)error;
    const struct compare_result *result = view->result;
    g_autofree char *counts = compare_counts_text(result);
    g_autoptr(GPtrArray) notes = compare_notes(result);
    printf("**Gate: %s.** %s\n\nBase: `%s`. New: `%s`. A difference counts beyond %.3g %%.\n",
           compare_gate(result), counts, view->base, view->fresh, result->margin * 100);
    if (result->cells->len)
        printf(
            "\n| metric | cell | base | new | ratio | 95 %% interval | p (Holm) | runs | verdict "
            "|\n|---|---|--:|--:|--:|--:|--:|--:|---|\n");
    for (guint i = 0; i < result->cells->len; i++)
        put_markdown_cell(g_ptr_array_index(result->cells, i));
    printf("\n");
    for (guint i = 0; i < result->means->len; i++) {
        const struct compare_mean *mean = g_ptr_array_index(result->means, i);
        g_autofree char *ratio = compare_ratio_text(mean->ratio);
        printf("- Geometric mean of %s over %u cells: %s\n", mean->metric, mean->cells, ratio);
    }
    for (guint i = 0; i < result->gaps->len; i++) {
        const struct compare_gap *gap = g_ptr_array_index(result->gaps, i);
        printf("- Missing: ");
        put_escaped(gap->label);
        printf(", which only %s has\n", gap->in_base ? "the base" : "the new side");
    }
    for (guint i = 0; i < notes->len; i++) {
        printf("- ");
        put_escaped(g_ptr_array_index(notes, i));
        printf("\n");
    }
    return true;
}

static void put_field(const char *text)
{
    if (!text)
        return;
    if (!strpbrk(text, "\",\r\n")) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static void put_number(double value)
{
    g_autofree char *digits = isfinite(value) ? text_double(value) : NULL;
    printf(",%s", digits ? digits : "");
}

bool compare_print_csv(const struct compare_view *view, GError **error)
{
    (void)error;
    printf("metric,cell,unit,better,base_n,base_median,new_n,new_median,ratio,ratio_lo,ratio_hi,"
           "level,method,p,p_holm,cliffs_delta,verdict,needs_n\n");
    for (guint i = 0; i < view->result->cells->len; i++) {
        const struct compare_cell *cell = g_ptr_array_index(view->result->cells, i);
        put_field(cell->metric);
        putchar(',');
        put_field(cell->label);
        putchar(',');
        put_field(cell->unit);
        printf(",%s,%zu", cell->higher_is_better ? "higher" : "lower", cell->base.n);
        put_number(compare_summary(&cell->base).median);
        printf(",%zu", cell->fresh.n);
        put_number(compare_summary(&cell->fresh).median);
        put_number(cell->ratio);
        put_number(cell->lo);
        put_number(cell->hi);
        put_number(cell->level);
        printf(",%s", method_name(cell->method));
        put_number(cell->p);
        put_number(cell->p_holm);
        put_number(cell->delta);
        printf(",%s,", verdict_word(cell->verdict));
        if (cell->needs)
            printf("%zu", cell->needs);
        printf("\n");
    }
    return true;
}
