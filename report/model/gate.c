// The gate: what the comparisons of the main grid amount to, and how sure that is.
#include <string.h>

#include "model/model.h"
#include "spinfault/format.h"

static void append_count(GString *text, unsigned n, const char *one, const char *many)
{
    if (n)
        g_string_append_printf(text, "%s%u %s", text->len ? ", " : "", n, n == 1 ? one : many);
}

static const char *gate_word(const struct grid *grid)
{
    if (grid->slower)
        return "fail";
    if (grid->unsure)
        return "unsure";
    return grid->faster || grid->same ? "pass" : "none";
}

static const char *gate_text(struct report_model *model, const struct grid *grid)
{
    GString *text = g_string_new(NULL);
    g_autofree char *beyond =
        g_strdup_printf("comparison slower by more than %g %%", model->threshold * 100);
    g_autofree char *beyond_many =
        g_strdup_printf("comparisons slower by more than %g %%", model->threshold * 100);
    append_count(text, grid->slower, beyond, beyond_many);
    append_count(text, grid->faster, "faster", "faster");
    append_count(text, grid->same, "without a difference that matters",
                 "without a difference that matters");
    append_count(text, grid->unsure, "unsure", "unsure");
    if (grid->missing)
        g_string_append_printf(text, "%s%u of %zu cells not run", text->len ? ", " : "",
                               grid->missing, grid->n_pages * grid->n_preempts);
    g_string_append(text, ".");
    if (model->aborted)
        g_string_append_printf(text, " %u aborted run%s left out.", model->aborted,
                               model->aborted == 1 ? " is" : "s are");
    g_autofree char *gate = g_string_free(text, FALSE);
    return model_keep(model, gate);
}

struct tally {
    unsigned published, few, pooled, ranks, comparisons, mixed;
    size_t needs;
    uint64_t stated;
};

static struct tally tally(const struct grid *grid)
{
    struct tally t = {0};
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        const struct comparison *c = &grid->cells[i].to_reference;
        if (isnan(c->ratio))
            continue;
        t.comparisons++;
        t.published += c->size_only;
        t.few += !c->size_only && c->method == METHOD_RATIO && isnan(c->change_lo);
        t.pooled += c->method == METHOD_POOLED;
        t.ranks += c->method == METHOD_RANKS;
        t.mixed += c->mixed;
        t.needs = MAX(t.needs, c->needs);
        if (c->size_only)
            t.stated = MAX(t.stated, grid->cells[i].stated);
    }
    return t;
}

static void append_published(GString *text, const struct tally *t)
{
    g_string_append_printf(
        text,
        "%s published as %s without the runs behind, so there is no interval and "
        "the verdict is on size alone. ",
        t->published == t->comparisons ? "The figures are" : "Some figures are",
        t->stated ? "means" : "single numbers");
    if (t->stated < 2 || t->stated > 10)
        return;
    double ways = exp(lgamma(2.0 * (double)t->stated + 1) - 2 * lgamma((double)t->stated + 1));
    g_autofree char *p = format_p(2 / round(ways));
    if (2 / ways < 0.05)
        return;
    g_string_append_printf(text,
                           "%" G_GUINT64_FORMAT " runs against %" G_GUINT64_FORMAT
                           " cannot give p below %s in a rank test. ",
                           t->stated, t->stated, p);
}

static const char *gate_sure(struct report_model *model, const struct grid *grid)
{
    struct tally t = tally(grid);
    GString *text = g_string_new(NULL);
    if (t.published)
        append_published(text, &t);
    if (t.few)
        g_string_append_printf(text, "%u comparison%s on fewer than three runs a side. ", t.few,
                               t.few == 1 ? " rests" : "s rest");
    if (t.pooled) {
        g_autofree char *noise = format_percent(grid->noise);
        g_string_append_printf(text,
                               "With so few runs a cell the spread is pooled over the grid "
                               "(%s a run). ",
                               noise);
    }
    if (t.ranks)
        g_string_append(text, "Intervals are exact for five and more runs; p is adjusted over all "
                              "comparisons on the page. ");
    if (t.mixed)
        g_string_append_printf(text, "%u comparison%s between different sources. ", t.mixed,
                               t.mixed == 1 ? " is" : "s are");
    if (model->warm_text)
        g_string_append_printf(text, "%s. ", model->warm_text);
    size_t least = stats_runs_needed(0.05, t.comparisons ? t.comparisons : 1);
    size_t needs = MAX(t.needs, least);
    if (t.published || t.few || t.needs)
        g_string_append_printf(text, "To settle the whole grid: %zu interleaved runs a cell.",
                               needs);
    g_autofree char *sure = g_strchomp(g_string_free(text, FALSE));
    return model_keep(model, sure);
}

void model_add_gate(struct report_model *model)
{
    const struct grid *grid = model_grid(model);
    model->gate = grid ? gate_word(grid) : "none";
    if (!grid || strcmp(model->gate, "none") == 0)
        return;
    model->gate_text = gate_text(model, grid);
    model->gate_sure = gate_sure(model, grid);
}
