// What happened, in words. Every sentence is put together from the model's numbers; one that its
// numbers do not support is left out.
#include <string.h>

#include "model/model.h"
#include "spinfault/format.h"

#define TITLE_MOST 65

static void add_meta(struct report_model *model, const char *text)
{
    if (text && *text)
        g_array_append_val(model->meta, text);
}

static void add_tile(struct report_model *model, const char *value, const char *label,
                     enum verdict verdict, const char *chip)
{
    struct tile tile = {value, label, chip, verdict};
    if (model->tiles->len < 4)
        g_array_append_val(model->tiles, tile);
}

// The cell whose comparison is the news: within the base's row the largest difference, and when
// that row has nothing else, anywhere in the grid.
static const struct cell *news_cell(const struct grid *grid)
{
    const struct cell *best = NULL;
    bool best_in_row = false;
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        const struct cell *cell = &grid->cells[i];
        if (isnan(cell->to_base.ratio))
            continue;
        bool in_row = strcmp(cell->page, grid->base->page) == 0;
        if (!best || in_row > best_in_row ||
            (in_row == best_in_row &&
             fabs(log(cell->to_base.ratio)) > fabs(log(best->to_base.ratio)))) {
            best = cell;
            best_in_row = in_row;
        }
    }
    return best;
}

// Huge or bigger pages under the same two modes as the news: does the difference remain there?
static const struct cell *same_pair_elsewhere(const struct grid *grid, const struct cell *news)
{
    for (size_t i = 0; i < grid->n_pages * grid->n_preempts; i++) {
        const struct cell *cell = &grid->cells[i];
        const struct cell *reference = cell->to_reference.reference;
        if (cell != news && !isnan(cell->to_reference.ratio) &&
            strcmp(cell->preempt, news->preempt) == 0 && strcmp(cell->page, news->page) != 0 &&
            reference && strcmp(reference->page, cell->page) == 0)
            return cell;
    }
    return NULL;
}

static const char *hedge(const struct cell *cell)
{
    return cell->to_base.verdict == VERDICT_UNSURE ? " (unsure)" : "";
}

static void modes_heading(struct report_model *model, const struct grid *grid,
                          const struct cell *news)
{
    g_autofree char *ratio = format_ratio(news->to_base.ratio);
    const char *other = preempt_long(news->preempt), *base = preempt_long(grid->base->preempt);
    GString *text = g_string_new(NULL);
    const char *pages = page_label(news->page);
    if (news->to_base.verdict == VERDICT_SAME)
        g_string_append_printf(text, "With %s, %s and %s do not differ: %s", pages, other, base,
                               ratio);
    else if (grid->higher_is_better)
        g_string_append_printf(text, "With %s, %s runs at %s of %s%s", pages, other, ratio, base,
                               hedge(news));
    else
        g_string_append_printf(text, "With %s, %s takes %s the %s of %s%s", pages, other, ratio,
                               metric_label(grid->metric), base, hedge(news));
    g_string_append_c(text, '.');
    const struct cell *elsewhere = same_pair_elsewhere(grid, news);
    bool lost = news->to_base.verdict == VERDICT_SLOWER;
    if (elsewhere && lost) {
        enum verdict there = elsewhere->to_reference.verdict;
        g_autofree char *rest = format_ratio(elsewhere->to_reference.ratio);
        const char *where = page_label(elsewhere->page);
        if (there == VERDICT_SAME)
            g_string_append_printf(text, " With %s the gap is gone.", where);
        else if (there == VERDICT_SLOWER)
            g_string_append_printf(text, " With %s it is %s.", where, rest);
        else if (there == VERDICT_FASTER)
            g_string_append_printf(text, " With %s it is faster: %s.", where, rest);
    }
    model->emphasis = model_keep(model, ratio);
    model->heading_verdict = news->to_base.verdict;
    g_autofree char *heading = g_string_free(text, FALSE);
    model->heading = model_keep(model, heading);
}

static void pages_heading(struct report_model *model, const struct grid *grid,
                          const struct cell *news)
{
    g_autofree char *ratio = format_ratio(news->to_base.ratio);
    g_autofree char *mode =
        *news->preempt ? g_strdup_printf("With %s, ", preempt_long(news->preempt)) : g_strdup("");
    const char *a = page_label(news->page), *b = page_label(grid->base->page);
    if (news->to_base.verdict == VERDICT_SAME)
        model->heading = model_text(model, "%s%s and %s do not differ: %s.", mode, a, b, ratio);
    else if (grid->higher_is_better)
        model->heading =
            model_text(model, "%s%s run at %s of %s%s.", mode, a, ratio, b, hedge(news));
    else
        model->heading = model_text(model, "%s%s take %s the %s of %s%s.", mode, a, ratio,
                                    metric_label(grid->metric), b, hedge(news));
    model->emphasis = model_keep(model, ratio);
    model->heading_verdict = news->to_base.verdict;
}

static void findings_heading(struct report_model *model)
{
    unsigned high = model->findings_high, all = model->findings->len;
    unsigned confirmed = 0;
    for (guint i = 0; i < all; i++) {
        const struct finding *f = g_ptr_array_index(model->findings, i);
        confirmed += f->evidence.state == EVIDENCE_CONFIRMED;
    }
    const char *sections = model_text(model, "%u critical section%s", model->scan->summary.sections,
                                      model->scan->summary.sections == 1 ? "" : "s");
    model->emphasis = model_text(model, "%u", high ? high : all);
    model->heading_verdict = high ? VERDICT_SLOWER : all ? VERDICT_UNSURE : VERDICT_SAME;
    if (high && confirmed)
        model->heading =
            model_text(model, "%u hazard%s of high severity in %s; runs confirm %u finding%s.",
                       high, high == 1 ? "" : "s", sections, confirmed, confirmed == 1 ? "" : "s");
    else if (high)
        model->heading = model_text(model, "%u hazard%s of high severity in %s.", high,
                                    high == 1 ? "" : "s", sections);
    else if (all)
        model->heading = model_text(model, "%u finding%s in %s, none of high severity.", all,
                                    all == 1 ? "" : "s", sections);
    else
        model->heading = model_text(model, "Nothing found in %s.", sections);
}

static void profile_heading(struct report_model *model)
{
    const struct flame *flame = g_ptr_array_index(model->flames, 0);
    g_autofree char *samples = text_with_commas(flame->tree->nodes[0].total_samples);
    if (flame->waiter) {
        g_autofree char *share = format_percent(flame->waiter_share);
        model->emphasis = model_keep(model, share);
        model->heading_verdict = VERDICT_SLOWER;
        model->heading = model_text(model, "%s of the %s weight is spent waiting in %s.", share,
                                    flame->event, flame->waiter);
        return;
    }
    model->emphasis = "";
    model->heading = model_text(model, "%s samples of %s, none of them waiting for a spinlock.",
                                samples, flame->event);
}

static void add_heading(struct report_model *model)
{
    const struct grid *grid = model_grid(model);
    const struct cell *news = grid ? news_cell(grid) : NULL;
    model->emphasis = "";
    if (news && strcmp(news->preempt, grid->base->preempt) != 0 &&
        strcmp(news->page, grid->base->page) == 0) {
        modes_heading(model, grid, news);
    } else if (news) {
        pages_heading(model, grid, news);
    } else if (model->scan) {
        findings_heading(model);
    } else if (grid) {
        g_autofree char *value = format_with_unit(grid->base->centre, grid->unit);
        model->emphasis = model_keep(model, value);
        model->heading =
            model_text(model, "%s%s%s: %s, and nothing yet to compare it with.", grid->benchmark,
                       grid->workload ? " " : "", grid->workload ? grid->workload : "", value);
    } else if (model->flames->len) {
        profile_heading(model);
    } else {
        model->heading = "Wait events only: nothing to compare yet.";
    }
}

// The symbol with the largest printed share that waits.
static const struct share *waiting_share(const struct report_model *model)
{
    for (guint i = 0; i < model->shares.items->len; i++) {
        const struct share *share = &g_array_index(model->shares.items, struct share, i);
        if (symbol_waits(share->symbol))
            return share;
    }
    return NULL;
}

// "With 2M pages both run at about 188,000 tps." when the gap is gone there.
static void append_without_gap(const struct report_model *model, GString *text)
{
    const struct grid *grid = model_grid(model);
    const struct cell *news = grid ? news_cell(grid) : NULL;
    const struct cell *there = news ? same_pair_elsewhere(grid, news) : NULL;
    if (!there || news->to_base.verdict != VERDICT_SLOWER ||
        there->to_reference.verdict != VERDICT_SAME)
        return;
    double middle = sqrt(there->centre * there->to_reference.reference->centre);
    double unit = pow(10, floor(log10(middle)) - 2);
    g_autofree char *value = format_with_unit(round(middle / unit) * unit, grid->unit);
    g_string_append_printf(text, "With %s both are at about %s. ", page_label(there->page), value);
}

static void add_lede(struct report_model *model)
{
    GString *text = g_string_new(NULL);
    const struct share *share = waiting_share(model);
    const struct flame *flame = model->flames->len ? g_ptr_array_index(model->flames, 0) : NULL;
    if (share) {
        g_autofree char *percent = format_percent(share->share);
        g_string_append_printf(text, "%s of the CPU was in `%s` (%s). ", percent, share->symbol,
                               model->shares.where);
    } else if (flame && flame->waiter && !model->grids->len && !model->scan) {
        if (flame->caller) // the heading says the rest
            g_string_append_printf(text, "It was called most from `%s`. ", flame->caller);
    } else if (flame && flame->waiter) {
        g_autofree char *percent = format_percent(flame->waiter_share);
        g_string_append_printf(text, "%s of the %s profile is spent waiting in `%s`", percent,
                               flame->event, flame->waiter);
        if (flame->caller)
            g_string_append_printf(text, ", called most from `%s`", flame->caller);
        g_string_append(text, ". ");
    }
    append_without_gap(model, text);
    if (model->touches.bytes) {
        g_autofree char *bytes = text_bytes(model->touches.bytes);
        const struct touch *small = &g_array_index(model->touches.items, struct touch, 0);
        const struct touch *huge =
            &g_array_index(model->touches.items, struct touch, model->touches.items->len - 2);
        g_autofree char *many = text_with_commas(small->count);
        g_autofree char *few = text_with_commas(huge->count);
        g_string_append_printf(text,
                               "Each process touches %s of shared memory for the first time in "
                               "%s pages of %s, or %s of %s. ",
                               bytes, many, small->page, few, huge->page);
    }
    if (model->grids->len && model->findings_high)
        g_string_append_printf(text, "The scan found %u hazard%s of high severity in %u sections. ",
                               model->findings_high, model->findings_high == 1 ? "" : "s",
                               model->scan->summary.sections);
    g_autofree char *lede = g_strchomp(g_string_free(text, FALSE));
    model->lede = model_keep(model, lede);
}

static const char *short_verdict(struct report_model *model, const struct comparison *c)
{
    if (c->verdict == VERDICT_SAME && c->size_only)
        return model_text(model, "below the %g %% gate", model->threshold * 100);
    return verdict_word(c->verdict);
}

static void add_ratio_tile(struct report_model *model, const struct cell *cell)
{
    const struct comparison *c = &cell->to_reference;
    g_autofree char *ratio = format_ratio(c->ratio);
    const char *label;
    if (strcmp(cell->page, c->reference->page) == 0)
        label = model_text(model, "%s: %s ÷ %s", page_label(cell->page),
                           preempt_short(cell->preempt), preempt_short(c->reference->preempt));
    else
        label = model_text(model, "%s ÷ %s%s%s", page_label(cell->page),
                           page_label(c->reference->page), *cell->preempt ? ", " : "",
                           *cell->preempt ? preempt_short(cell->preempt) : "");
    add_tile(model, model_keep(model, ratio), label, c->verdict, short_verdict(model, c));
}

static void add_tiles(struct report_model *model)
{
    const struct grid *grid = model_grid(model);
    const struct cell *news = grid ? news_cell(grid) : NULL;
    if (news) {
        add_ratio_tile(model, news);
        const struct cell *elsewhere = same_pair_elsewhere(grid, news);
        if (elsewhere)
            add_ratio_tile(model, elsewhere);
    }
    const struct share *share = waiting_share(model);
    const struct flame *flame = model->flames->len ? g_ptr_array_index(model->flames, 0) : NULL;
    if (share) {
        g_autofree char *percent = format_percent(share->share);
        add_tile(model, model_keep(model, percent),
                 model_text(model, "of the CPU in %s", share->symbol), VERDICT_SLOWER,
                 model->shares.where);
    } else if (flame && flame->waiter && !flame->faults) {
        g_autofree char *percent = format_percent(flame->waiter_share);
        g_autofree char *name = g_path_get_basename(flame->path);
        add_tile(model, model_keep(model, percent),
                 model_text(model, "of %s in %s", flame->event, flame->waiter), VERDICT_SLOWER,
                 model_keep(model, name));
    }
    if (model->touches.bytes) {
        const struct touch *huge =
            &g_array_index(model->touches.items, struct touch, model->touches.items->len - 2);
        const struct touch *small = &g_array_index(model->touches.items, struct touch, 0);
        g_autofree char *divisor = text_with_commas(huge->divisor);
        g_autofree char *few = text_with_commas(huge->count);
        g_autofree char *many = format_axis(round((double)small->count / 1e5) * 1e5);
        g_autofree char *all = text_with_commas(small->count);
        add_tile(model, model_text(model, "÷ %s", divisor),
                 model_text(model, "first touches with %s pages", huge->page), VERDICT_FASTER,
                 model_text(model, "%s → %s", small->count >= 1000000 ? many : all, few));
    }
    if (model->scan) {
        add_tile(model, model_text(model, "%u", model->findings_high), "findings of high severity",
                 model->findings_high ? VERDICT_SLOWER : VERDICT_SAME,
                 model_text(model, "of %u", model->findings->len));
        add_tile(model, model_text(model, "%u", model->scan->summary.sections), "critical sections",
                 VERDICT_NONE, NULL);
        add_tile(model, model_text(model, "%u", model->scan->summary.parsed), "files parsed",
                 model->scan->summary.failed ? VERDICT_UNSURE : VERDICT_NONE,
                 model->scan->summary.failed
                     ? model_text(model, "%u failed", model->scan->summary.failed)
                     : NULL);
    }
}

static void add_metas(struct report_model *model)
{
    const struct grid *grid = model_grid(model);
    if (grid) {
        add_meta(model, model_text(model, "%s%s%s", grid->benchmark, grid->workload ? " " : "",
                                   grid->workload ? grid->workload : ""));
        if (grid->machine && grid->vcpus > 0)
            add_meta(model,
                     model_text(model, "%s, %" G_GINT64_FORMAT " vCPU%s%s", grid->machine,
                                grid->vcpus, grid->arch ? " " : "", grid->arch ? grid->arch : ""));
        else
            add_meta(model, grid->machine);
        add_meta(model, grid->base->kernel);
        if (grid->clients >= 0) {
            g_autofree char *clients = text_with_commas((uint64_t)grid->clients);
            add_meta(model, model_text(model, "%s clients", clients));
        }
    }
    if (!grid && model->flames->len) {
        const struct flame *flame = g_ptr_array_index(model->flames, 0);
        g_autofree char *name = g_path_get_basename(flame->path);
        add_meta(model, model_keep(model, name));
    }
    if (model->scan) {
        g_autofree char *name = g_path_get_basename(model->scan->root);
        add_meta(model, model_text(model, "scan of %s", name));
    }
}

// The name of the page in tabs and lists: the first sentence, cut when it is long.
static const char *short_title(struct report_model *model)
{
    g_auto(GStrv) sentences = g_strsplit(model->heading, ". ", 2);
    char *first = sentences[0];
    size_t len = strlen(first);
    if (len && first[len - 1] == '.')
        first[len - 1] = '\0';
    if (g_utf8_strlen(first, -1) <= TITLE_MOST)
        return model_keep(model, first);
    g_autofree char *cut = g_utf8_substring(first, 0, TITLE_MOST - 1);
    return model_text(model, "%s…", cut);
}

void model_add_words(struct report_model *model)
{
    add_metas(model);
    add_heading(model);
    add_lede(model);
    add_tiles(model);
    model_add_gate(model);
    if (!model->title)
        model->title = short_title(model);
}
