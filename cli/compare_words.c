// What the formats of compare say in words.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare_output.h"
#include "spinfault/base.h"
#include "spinfault/format.h"

static double centre(const struct compare_side *side)
{
    return compare_summary(side).median;
}

char *compare_centre_text(const struct compare_cell *cell, const struct compare_side *side)
{
    bool own = g_strcmp0(cell->unit, "s") == 0 || g_strcmp0(cell->unit, "B") == 0;
    return format_with_unit(centre(side), own ? cell->unit : "");
}

static bool near_one(double ratio)
{
    return ratio > 0.9 && ratio < 1.1;
}

char *compare_ratio_text(double ratio)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    if (!near_one(ratio))
        return format_ratio(ratio);
    return g_strconcat(g_ascii_formatd(digits, sizeof digits, "%.3f", ratio), "×", NULL);
}

char *compare_interval_text(const struct compare_cell *cell)
{
    if (isnan(cell->lo))
        return NULL;
    g_autofree char *lo = compare_ratio_text(cell->lo);
    g_autofree char *hi = compare_ratio_text(cell->hi);
    lo[strlen(lo) - strlen("×")] = hi[strlen(hi) - strlen("×")] = '\0';
    return g_strdup_printf("%s – %s%s", lo, hi, cell->reached ? "" : "¹");
}

static char *runs(const struct compare_side *side)
{
    if (!side->summary)
        return g_strdup_printf("%zu", side->n);
    return side->stated ? g_strdup_printf("(%" G_GUINT64_FORMAT ")", side->stated) : g_strdup("?");
}

char *compare_runs_text(const struct compare_cell *cell)
{
    g_autofree char *base = runs(&cell->base);
    g_autofree char *fresh = runs(&cell->fresh);
    return g_strconcat(base, "+", fresh, NULL);
}

char *compare_verdict_text(const struct compare_cell *cell)
{
    return g_strdup_printf("%s %s", verdict_symbol(cell->verdict), verdict_word(cell->verdict));
}

static void append(GString *text, unsigned n, const char *what)
{
    if (n)
        g_string_append_printf(text, "%s%u %s", text->str[text->len - 2] == ':' ? "" : ", ", n,
                               what);
}

char *compare_counts_text(const struct compare_result *result)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%u cell%s: ", result->cells->len,
                           result->cells->len == 1 ? "" : "s");
    append(text, result->slower, verdict_word(VERDICT_SLOWER));
    append(text, result->faster, verdict_word(VERDICT_FASTER));
    append(text, result->same, verdict_word(VERDICT_SAME));
    append(text, result->unsure, verdict_word(VERDICT_UNSURE));
    if (!result->cells->len)
        g_string_append(text, "none that both sides have");
    if (result->gaps->len)
        g_string_append_printf(text, "; %u missing", result->gaps->len);
    g_string_append_c(text, '.');
    return g_string_free(text, FALSE);
}

static void say(GPtrArray *notes, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void say(GPtrArray *notes, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_ptr_array_add(notes, g_strdup_vprintf(format, args));
    va_end(args);
}

struct traits {
    bool no_logarithm, short_interval, published, unstated, pooled, pairs, unsure;
    size_t needs;
    double level;
    guint64 left_out;
};

static bool has_logarithms(const struct compare_side *side)
{
    for (size_t i = 0; i < side->n; i++)
        if (!(side->values[i] > 0))
            return false;
    return true;
}

static struct traits look(const struct compare_result *result)
{
    struct traits t = {.level = 1};
    for (guint i = 0; i < result->cells->len; i++) {
        const struct compare_cell *cell = g_ptr_array_index(result->cells, i);
        if (!isnan(cell->lo) && !cell->reached) {
            t.short_interval = true;
            t.level = fmin(t.level, cell->level);
        }
        t.published |= cell->size_only;
        t.no_logarithm |= !has_logarithms(&cell->base) || !has_logarithms(&cell->fresh);
        t.pooled |= cell->method == METHOD_POOLED;
        t.pairs |= cell->method == METHOD_PAIRS;
        t.needs = MAX(t.needs, cell->needs);
        t.left_out += cell->base.left_out + cell->fresh.left_out;
    }
    return t;
}

GPtrArray *compare_notes(const struct compare_result *result)
{
    GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
    struct traits t = look(result);
    if (t.short_interval)
        say(notes, "¹ So few runs cannot give 95 %%: the whole range, at %.1f %% or more.",
            t.level * 100);
    if (t.no_logarithm)
        say(notes,
            "A value of zero or below has no logarithm: where there is one, the ratio is that "
            "of the medians, without an interval, and the verdict is that of the differences.");
    if (t.published)
        say(notes, "(n) and ? are published numbers without their runs: no interval, judged by "
                   "size alone.");
    if (t.pooled)
        say(notes, "With so few runs the spread is pooled over the cells.");
    if (t.pairs)
        say(notes, "The runs were interleaved, so they are compared in pairs.");
    if (t.needs >= COMPARE_NEEDS_MOST)
        say(notes,
            "No affordable number of runs would settle a ratio that lies at the edge of what "
            "counts.");
    else if (t.needs)
        say(notes, "%zu interleaved runs a side would settle what is unsure.", t.needs);
    if (t.left_out)
        say(notes, "%" G_GUINT64_FORMAT " more numbers of the same kind were left out.",
            t.left_out);
    if (result->margin > result->threshold)
        say(notes,
            "The same thing differs from itself by up to %.1f %% between sessions; smaller "
            "changes are not told apart.",
            result->noise * 100);
    for (guint i = 0; i < result->warm->len; i++)
        say(notes, "%s.", (char *)g_ptr_array_index(result->warm, i));
    for (guint i = 0; i < result->differ->len; i++)
        say(notes, "Also different: %s.", (char *)g_ptr_array_index(result->differ, i));
    return notes;
}
