// hyperfine --export-json, and --export-csv. Each timing is a run of its own: they are what
// statistics can be made of. The CSV has only their summary.
#include "formats.h"
#include "json_doc.h"
#include "lines.h"
#include "table.h"

static void give_parameters(struct run_builder *run, json_t *result)
{
    json_t *parameters = json_object_get(result, "parameters"), *value;
    const char *key;
    json_object_foreach(parameters, key, value) json_setting(run, parameters, key, key);
}

static bool give_result(struct ingest *in, struct run_builder *run, json_t *result, GError **error)
{
    json_t *times = json_object_get(result, "times"), *time;
    json_t *codes = json_object_get(result, "exit_codes");
    size_t i;
    json_array_foreach(times, i, time)
    {
        json_t *code = json_array_get(codes, i);
        run->workload = json_text(result, "command");
        give_parameters(run, result);
        if (json_is_number(time))
            run_metric(run, "elapsed", json_number_value(time), "s");
        else
            run_missing(run, "elapsed", "no time was written");
        if (json_is_integer(code) && json_integer_value(code) != 0) {
            g_autofree char *why = g_strdup_printf("the command ended with exit status %d",
                                                   (int)json_integer_value(code));
            run_fail(run, why);
        }
        if (json_is_null(code))
            run_fail(run, "the command was ended by a signal");
        if (!run_deliver(run, in, error))
            return false;
    }
    return true;
}

static bool parse_json(struct ingest *in, GError **error)
{
    g_autoptr(run_builder_t) run = run_builder_new("hyperfine");
    json_t *doc = json_doc_read(in, error), *result;
    size_t i;
    bool ok = doc != NULL;
    json_array_foreach(json_object_get(doc, "results"), i, result) ok =
        ok && give_result(in, run, result, error);
    json_decref(doc);
    if (ok && in->runs == 0)
        return ingest_damaged(in, 0, error, "hyperfine wrote no timing into it");
    return ok;
}

static bool csv_number(const struct table *t, size_t row, const char *name, double *value)
{
    int column = table_find(t, name);
    return column >= 0 && slice_to_double(table_cell(t, row, (size_t)column), value);
}

static bool give_row(struct ingest *in, const struct table *t, size_t row, struct run_builder *run,
                     GError **error)
{
    static const char *const names[] = {"median", "user", "system", "min", "max"};
    double value;
    run->workload = run_text(run, table_cell(t, row, (size_t)table_find(t, "command")));
    for (size_t i = 0; i < t->columns; i++) {
        g_autofree char *name = slice_dup(table_name(t, i));
        if (g_str_has_prefix(name, "parameter_"))
            run_set(run, name + strlen("parameter_"), table_cell(t, row, i));
    }
    if (csv_number(t, row, "mean", &value)) {
        struct metric_fact *m = run_metric(run, "elapsed", value, "s");
        m->n = 0; // of several, but not of how many
        if (csv_number(t, row, "stddev", &value))
            m->stddev = value;
    } else {
        run_missing(run, "elapsed", "no mean was written");
    }
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *name = g_strdup_printf("elapsed_%s", names[i]);
        if (csv_number(t, row, names[i], &value))
            run_metric(run, name, value, "s")->n = 0;
    }
    return run_deliver(run, in, error);
}

static bool parse_csv(struct ingest *in, GError **error)
{
    char *text;
    size_t len;
    if (!csv_text(in, &text, &len, error))
        return false;
    bool cut = len > 0 && text[len - 1] != '\n';
    g_autoptr(table_t) t = table_from_csv(in, text, len, error);
    g_autoptr(run_builder_t) run = run_builder_new("hyperfine");
    if (t && table_find(t, "command") < 0)
        return ingest_damaged(in, 1, error, "no column \"command\"");
    size_t rows = t ? t->rows : 0;
    if (rows > 0 && cut) { // the last field may lack digits
        rows--;
        in->summary.truncated = true;
        if (!ingest_skip(in, table_line(t, rows), "cut off", SLICE_NULL, error))
            return false;
    }
    for (size_t row = 0; row < rows; row++)
        if (!give_row(in, t, row, run, error))
            return false;
    return t && (rows > 0 || ingest_damaged(in, 0, error, "no row of it is whole"));
}

static int detect_json(struct slice head)
{
    return line_has(head, "\"results\"") && line_has(head, "\"command\"") &&
                   line_has(head, "\"times\"")
               ? 95
               : 0;
}

static int detect_csv(struct slice head)
{
    return slice_starts(head, "command,mean,stddev,median,user,system,min,max") ? 95 : 0;
}

const struct ingest_format format_hyperfine = {
    .name = "hyperfine",
    .summary = "hyperfine --export-json",
    .detect = detect_json,
    .parse = parse_json,
};
const struct ingest_format format_hyperfine_csv = {
    .name = "hyperfine-csv",
    .summary = "hyperfine --export-csv",
    .detect = detect_csv,
    .parse = parse_csv,
};
