// history as JSON lines, CSV and SVG.
#include <math.h>
#include <stdio.h>

#include "history_output.h"
#include "json_lines.h"

static void put_time(int64_t t_ns)
{
    g_autofree char *time = t_ns == INT64_MIN ? NULL : text_from_time(t_ns);
    json_key_text(stdout, "t", time);
}

static void put_points(const struct history_series *series)
{
    json_key(stdout, "points");
    fputc('[', stdout);
    for (size_t i = 0; i < series->n; i++) {
        const struct history_point *p = &series->points[i];
        fprintf(stdout, "%s{\"index\":%zu", i ? "," : "", i);
        json_key_int(stdout, "run", p->run_id > 0, p->run_id);
        put_time(p->t_ns);
        json_key_double(stdout, "value", p->value);
        json_key_text(stdout, "version", p->version);
        json_key_bool(stdout, "outlier", p->outlier);
        fputc('}', stdout);
    }
    fputc(']', stdout);
}

static bool put_series(const struct history_series *series, GError **error)
{
    static const char *const better[] = {
        [BETTER_UNKNOWN] = NULL, [BETTER_HIGHER] = "higher", [BETTER_LOWER] = "lower"};
    json_begin(stdout, "series");
    json_key_text(stdout, "metric", series->metric);
    json_key_text(stdout, "label", series->label);
    json_key(stdout, "set");
    fputc('{', stdout);
    for (guint i = 0; i + 1 < series->set->len; i += 2) {
        fputs(i ? "," : "", stdout);
        json_put_text(stdout, g_ptr_array_index(series->set, i));
        fputc(':', stdout);
        json_put_text(stdout, g_ptr_array_index(series->set, i + 1));
    }
    fputc('}', stdout);
    json_key_text(stdout, "unit", series->unit);
    json_key_text(stdout, "better", better[series->better]);
    json_key_uint(stdout, "n", series->n);
    json_key_uint(stdout, "left_out", series->left_out);
    json_key_text(stdout, "order", series->timed ? "time" : "ingest");
    put_points(series);
    return json_finish(stdout, error);
}

static bool put_change(const struct history_series *series, const struct history_change *c,
                       GError **error)
{
    const struct history_point *p = &series->points[c->at];
    json_begin(stdout, "change");
    json_key_text(stdout, "metric", series->metric);
    json_key_text(stdout, "label", series->label);
    json_key_uint(stdout, "index", c->at);
    json_key_int(stdout, "run", p->run_id > 0, p->run_id);
    put_time(p->t_ns);
    json_key_double(stdout, "before", c->before);
    json_key_double(stdout, "after", c->after);
    json_key_double(stdout, "ratio", c->ratio);
    json_key_double(stdout, "ratio_lo", c->lo);
    json_key_double(stdout, "ratio_hi", c->hi);
    json_key_double(stdout, "p", c->p);
    json_key_text(stdout, "verdict", c->verdict == VERDICT_NONE ? NULL : verdict_word(c->verdict));
    json_key_bool(stdout, "provisional", c->provisional);
    json_key_text(stdout, "version_before", series->points[c->at - 1].version);
    json_key_text(stdout, "version_after", p->version);
    return json_finish(stdout, error);
}

bool history_print_json(const struct history_result *result, GError **error)
{
    size_t changes = 0, provisional = 0;
    for (guint i = 0; i < result->series->len; i++) {
        const struct history_series *series = g_ptr_array_index(result->series, i);
        if (!put_series(series, error))
            return false;
        for (size_t k = 0; k < series->n_changes; k++) {
            if (!put_change(series, &series->changes[k], error))
                return false;
            provisional += series->changes[k].provisional;
        }
        changes += series->n_changes;
    }
    json_begin(stdout, "summary");
    json_key_uint(stdout, "series", result->series->len);
    json_key_uint(stdout, "changes", changes);
    json_key_uint(stdout, "provisional", provisional);
    json_key_uint(stdout, "too_short", result->too_short);
    json_key_text(stdout, "gate", history_gate(result));
    return json_finish(stdout, error);
}

static void put_field(const char *text)
{
    if (!text)
        return;
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

bool history_print_csv(const struct history_result *result, GError **error)
{
    (void)error;
    printf("metric,series,index,run,t,value,version,outlier,level,change\n");
    for (guint i = 0; i < result->series->len; i++) {
        const struct history_series *series = g_ptr_array_index(result->series, i);
        size_t level = 0;
        for (size_t k = 0; k < series->n; k++) {
            const struct history_point *p = &series->points[k];
            bool here = level < series->n_changes && series->changes[level].at == k;
            const struct history_change *c = here ? &series->changes[level] : NULL;
            level += here;
            g_autofree char *time = p->t_ns == INT64_MIN ? NULL : text_from_time(p->t_ns);
            g_autofree char *value = text_double(p->value);
            put_field(series->metric);
            putchar(',');
            put_field(series->label);
            printf(",%zu,%" G_GINT64_FORMAT ",%s,%s,", k, p->run_id, time ? time : "", value);
            put_field(p->version);
            printf(",%d,%zu,%s\n", p->outlier, level + 1,
                   !c                           ? ""
                   : c->provisional             ? "provisional"
                   : c->verdict == VERDICT_NONE ? "change"
                                                : verdict_word(c->verdict));
        }
    }
    return true;
}

bool history_print_svg(const struct history_result *result, GError **error)
{
    g_autoptr(GString) out = g_string_new(NULL);
    if (!history_svg(result, out, error))
        return false;
    fwrite(out->str, 1, out->len, stdout);
    return true;
}
