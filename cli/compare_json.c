// compare as JSON lines: a cell each, cells that are missing, means, and a summary.
#include "compare_output.h"
#include "json_lines.h"

static void put_set(const GPtrArray *set)
{
    fputs("\"set\":{", stdout);
    for (guint i = 0; i + 1 < set->len; i += 2) {
        fputs(i ? "," : "", stdout);
        json_put_text(stdout, g_ptr_array_index(set, i));
        fputc(':', stdout);
        json_put_text(stdout, g_ptr_array_index(set, i + 1));
    }
    fputc('}', stdout);
}

static void put_side(const char *name, const struct compare_side *side)
{
    struct compare_summary s = compare_summary(side);
    json_key(stdout, name);
    fputc('{', stdout);
    put_set(side->set);
    json_key_uint(stdout, "n", side->n);
    json_key(stdout, "values");
    fputc('[', stdout);
    for (size_t i = 0; i < side->n; i++) {
        fputs(i ? "," : "", stdout);
        json_put_double(stdout, side->values[i]);
    }
    fputc(']', stdout);
    json_key_double(stdout, "median", s.median);
    json_key_double(stdout, "mad", s.mad);
    json_key_double(stdout, "median_lo", s.median_lo);
    json_key_double(stdout, "median_hi", s.median_hi);
    json_key_double(stdout, "median_level", s.median_level);
    json_key_double(stdout, "mean", s.mean);
    json_key_double(stdout, "sd", s.sd);
    json_key_double(stdout, "min", s.min);
    json_key_double(stdout, "max", s.max);
    json_key_uint(stdout, "outliers_mild", s.mild);
    json_key_uint(stdout, "outliers_severe", s.severe);
    json_key_bool(stdout, "published", side->summary);
    if (side->summary)
        json_key_int(stdout, "stated_n", side->stated > 0, (int64_t)side->stated);
    json_key_uint(stdout, "left_out", side->left_out);
    fputc('}', stdout);
}

static bool put_cell(const struct compare_cell *cell, GError **error)
{
    json_begin(stdout, "cell");
    json_key_text(stdout, "metric", cell->metric);
    put_side("base", &cell->base);
    put_side("new", &cell->fresh);
    json_key_double(stdout, "ratio", cell->ratio);
    json_key_double(stdout, "ratio_lo", cell->lo);
    json_key_double(stdout, "ratio_hi", cell->hi);
    json_key_double(stdout, "level", cell->level);
    json_key_text(stdout, "method", method_name(cell->method));
    json_key_double(stdout, "u", cell->u);
    json_key_double(stdout, "p", cell->p);
    json_key_double(stdout, "p_holm", cell->p_holm);
    json_key_double(stdout, "cliffs_delta", cell->delta);
    json_key_text(stdout, "verdict", verdict_word(cell->verdict));
    json_key_int(stdout, "needs_n", cell->needs > 0, (int64_t)cell->needs);
    json_key_text(stdout, "label", cell->label);
    json_key_text(stdout, "unit", cell->unit);
    json_key_text(stdout, "better", cell->higher_is_better ? "higher" : "lower");
    json_key_bool(stdout, "level_reached", cell->reached);
    json_key_bool(stdout, "size_only", cell->size_only);
    return json_finish(stdout, error);
}

static bool put_gap(const struct compare_gap *gap, GError **error)
{
    json_begin(stdout, "missing");
    json_key_text(stdout, "metric", gap->metric);
    json_key_text(stdout, "label", gap->label);
    json_key_text(stdout, "in", gap->in_base ? "base" : "new");
    json_key_uint(stdout, "n", gap->n);
    return json_finish(stdout, error);
}

static bool put_mean(const struct compare_mean *mean, GError **error)
{
    json_begin(stdout, "geomean");
    json_key_text(stdout, "metric", mean->metric);
    json_key_uint(stdout, "cells", mean->cells);
    json_key_double(stdout, "ratio", mean->ratio);
    json_key_double(stdout, "ratio_lo", mean->lo);
    json_key_double(stdout, "ratio_hi", mean->hi);
    json_key_double(stdout, "min", mean->least);
    json_key_double(stdout, "max", mean->most);
    return json_finish(stdout, error);
}

static void put_texts(const char *key, const GPtrArray *texts)
{
    json_key(stdout, key);
    fputc('[', stdout);
    for (guint i = 0; i < texts->len; i++) {
        fputs(i ? "," : "", stdout);
        json_put_text(stdout, g_ptr_array_index(texts, i));
    }
    fputc(']', stdout);
}

static bool put_summary(const struct compare_result *result, GError **error)
{
    json_begin(stdout, "summary");
    json_key_uint(stdout, "cells", result->cells->len);
    json_key_uint(stdout, "slower", result->slower);
    json_key_uint(stdout, "faster", result->faster);
    json_key_uint(stdout, "no_difference", result->same);
    json_key_uint(stdout, "unsure", result->unsure);
    json_key_uint(stdout, "missing", result->gaps->len);
    json_key_text(stdout, "gate", compare_gate(result));
    json_key_double(stdout, "threshold", result->threshold);
    json_key_double(stdout, "noise_floor", result->noise);
    json_key_double(stdout, "margin", result->margin);
    put_texts("differ", result->differ);
    put_texts("warm_up", result->warm);
    return json_finish(stdout, error);
}

bool compare_print_json(const struct compare_view *view, GError **error)
{
    const struct compare_result *result = view->result;
    for (guint i = 0; i < result->cells->len; i++)
        if (!put_cell(g_ptr_array_index(result->cells, i), error))
            return false;
    for (guint i = 0; i < result->gaps->len; i++)
        if (!put_gap(g_ptr_array_index(result->gaps, i), error))
            return false;
    for (guint i = 0; i < result->means->len; i++)
        if (!put_mean(g_ptr_array_index(result->means, i), error))
            return false;
    return put_summary(result, error);
}
