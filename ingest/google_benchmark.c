// Google Benchmark, JSON and CSV. A repetition is a run. The library's own aggregates are left out:
// they can be computed, and in CSV its "_cv" rows are wrong. Where only they are there
// (--benchmark_report_aggregates_only) the mean is a run of that many repetitions, with the
// deviation. A benchmark that failed is a run that was aborted.
#include "formats.h"
#include "json_doc.h"
#include "lines.h"
#include "metrics.h"
#include "table.h"

static bool is_known_key(const char *key)
{
    static const char *const keys[] = {
        "name",          "run_name",         "run_type",
        "repetitions",   "repetition_index", "threads",
        "iterations",    "real_time",        "cpu_time",
        "time_unit",     "family_index",     "per_family_instance_index",
        "label",         "error_occurred",   "error_message",
        "skipped",       "skip_message",     "aggregate_name",
        "aggregate_unit"};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

// "items_per_second" is a rate; other counters are what the author made of them.
static const char *counter_unit(const char *name)
{
    if (strcmp(name, "bytes_per_second") == 0)
        return "B/s";
    return g_str_has_suffix(name, "_per_second") ? "1/s" : NULL;
}

static void set_context(struct run_builder *run, json_t *context)
{
    json_setting(run, context, "host_name", "host");
    json_setting(run, context, "num_cpus", "vcpus");
    json_setting(run, context, "library_build_type", "library_build_type");
    json_setting(run, context, "cpu_scaling_enabled", "cpu_scaling_enabled");
    const char *date = json_text(context, "date");
    int64_t ns;
    if (date && text_to_time(date, &ns))
        run->started_ns = ns;
}

// Versions before 1.5 do not say so, but no run has these keys, or such a name.
static bool is_aggregate(const json_t *b)
{
    static const char *const ends[] = {"_mean", "_median", "_stddev", "_cv"};
    const char *type = json_text(b, "run_type"), *name = json_text(b, "name");
    if (type)
        return strcmp(type, "aggregate") == 0;
    if (json_object_get(b, "big_o") || json_object_get(b, "rms"))
        return true;
    for (size_t i = 0; name && i < G_N_ELEMENTS(ends); i++)
        if (g_str_has_suffix(name, ends[i]))
            return true;
    return false;
}

static json_t *find_aggregate(json_t *all, const char *run_name, const char *aggregate)
{
    json_t *b;
    size_t i;
    json_array_foreach(all, i,
                       b) if (g_strcmp0(json_text(b, "run_name"), run_name) == 0 &&
                              g_strcmp0(json_text(b, "aggregate_name"), aggregate) == 0) return b;
    return NULL;
}

static void give_mean(struct run_builder *run, json_t *mean, json_t *deviation, const char *key)
{
    const char *unit = json_text(mean, "time_unit"), *base;
    double value = json_number(mean, key), stddev = json_number(deviation, key), factor = 1;
    if (!isfinite(value))
        return;
    struct metric_fact *m = run_metric(run, key, value, unit ? unit : "ns");
    unit_parse(slice_from(unit ? unit : "ns"), &base, &factor);
    double n = json_number(mean, "repetitions");
    m->n = 0; // of several, but not of how many
    if (isfinite(n))
        count_from(n, &m->n);
    m->stddev = unit_apply(stddev, factor);
}

// Only means are there.
static bool give_means(struct ingest *in, struct run_builder *run, json_t *context, json_t *all,
                       GError **error)
{
    json_t *b;
    size_t i;
    json_array_foreach(all, i, b)
    {
        const char *name = json_text(b, "run_name");
        if (!name || g_strcmp0(json_text(b, "aggregate_name"), "mean") != 0)
            continue;
        json_t *deviation = find_aggregate(all, name, "stddev");
        set_context(run, context);
        run->workload = name;
        json_setting(run, b, "threads", "threads");
        give_mean(run, b, deviation, "real_time");
        give_mean(run, b, deviation, "cpu_time");
        if (!run_deliver(run, in, error))
            return false;
    }
    return true;
}

static bool give_benchmark(struct ingest *in, struct run_builder *run, json_t *context, json_t *b,
                           GError **error)
{
    const char *unit = json_text(b, "time_unit"), *key;
    json_t *value;
    if (is_aggregate(b))
        return true;
    set_context(run, context);
    run->workload = json_text(b, "run_name") ? json_text(b, "run_name") : json_text(b, "name");
    json_setting(run, b, "threads", "threads");
    json_setting(run, b, "repetition_index", "repetition");
    json_setting(run, b, "label", "label");
    bool failed = json_is_true(json_object_get(b, "error_occurred")) ||
                  json_is_true(json_object_get(b, "skipped")) || json_text(b, "skip_message") ||
                  json_text(b, "error_message");
    if (failed) {
        const char *why = json_text(b, "error_message") ? json_text(b, "error_message")
                                                        : json_text(b, "skip_message");
        run_fail(run, why ? why : "the benchmark reported an error");
        run_missing(run, "real_time", run->why);
        return run_deliver(run, in, error);
    }
    json_metric(run, b, "real_time", "real_time", unit ? unit : "ns");
    json_metric(run, b, "cpu_time", "cpu_time", unit ? unit : "ns");
    json_metric(run, b, "iterations", "iterations", NULL);
    json_object_foreach(b, key, value) if (!is_known_key(key) && json_is_number(value))
        run_metric(run, key, json_number_value(value), counter_unit(key));
    return run_deliver(run, in, error);
}

static bool parse_json(struct ingest *in, GError **error)
{
    g_autoptr(run_builder_t) run = run_builder_new("google-benchmark");
    json_t *doc = json_doc_read(in, error), *b;
    json_t *context = json_object_get(doc, "context");
    size_t i;
    bool ok = doc != NULL;
    json_array_foreach(json_object_get(doc, "benchmarks"), i, b) ok =
        ok && give_benchmark(in, run, context, b, error);
    if (ok && in->runs == 0)
        ok = give_means(in, run, context, json_object_get(doc, "benchmarks"), error);
    json_decref(doc);
    if (ok && in->runs == 0)
        return ingest_damaged(in, 0, error, "no benchmark in it");
    return ok;
}

// --- CSV -------------------------------------------------------------------------------------

static struct slice named(const struct table *t, size_t row, const char *name)
{
    int column = table_find(t, name);
    return column < 0 ? SLICE_NULL : table_cell(t, row, (size_t)column);
}

static bool has_row(const struct table *t, struct slice base, const char *end)
{
    g_autofree char *name = g_strdup_printf("%.*s%s", (int)base.len, base.data, end);
    for (size_t row = 0; row < t->rows; row++)
        if (slice_is(named(t, row, "name"), name))
            return true;
    return false;
}

// The end of the name of an aggregate, or NULL. A name that ends in "_mean" is one if the same name
// without it is there too, or with the other ends.
static const char *aggregate_end(const struct table *t, size_t row)
{
    static const char *const ends[] = {"_mean", "_median", "_stddev", "_cv", "_min", "_max"};
    struct slice name = named(t, row, "name");
    if (slice_ends(name, "_BigO") || slice_ends(name, "_RMS"))
        return "_BigO";
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        if (!slice_ends(name, ends[i]))
            continue;
        struct slice base = {name.data, name.len - strlen(ends[i])};
        if (has_row(t, base, "") || (has_row(t, base, "_mean") && has_row(t, base, "_median") &&
                                     has_row(t, base, "_stddev")))
            return ends[i];
    }
    return NULL;
}

// The figures of a "_mean" row, whose iterations are repetitions, when its runs are not there.
static bool give_mean_row(struct ingest *in, const struct table *t, size_t row,
                          struct run_builder *run, GError **error)
{
    static const char *const times[] = {"real_time", "cpu_time"};
    struct slice base = named(t, row, "name");
    g_autofree char *unit = slice_dup(named(t, row, "time_unit"));
    const char *name_unit = unit && *unit ? unit : "ns", *base_unit;
    size_t other = 0;
    double value, factor = 1;
    base.len -= strlen("_mean");
    g_autofree char *deviation = g_strdup_printf("%.*s_stddev", (int)base.len, base.data);
    while (other < t->rows && !slice_is(named(t, other, "name"), deviation))
        other++;
    run->workload = run_text(run, base);
    unit_parse(slice_from(name_unit), &base_unit, &factor);
    for (size_t i = 0; i < G_N_ELEMENTS(times); i++) {
        if (!slice_to_double(named(t, row, times[i]), &value))
            continue;
        struct metric_fact *m = run_metric(run, times[i], value, name_unit);
        m->n = 0;
        if (slice_to_double(named(t, row, "iterations"), &value))
            count_from(value, &m->n);
        if (other < t->rows && slice_to_double(named(t, other, times[i]), &value))
            m->stddev = unit_apply(value, factor);
    }
    return run_deliver(run, in, error);
}

static bool give_row(struct ingest *in, const struct table *t, size_t row, struct run_builder *run,
                     GError **error)
{
    struct slice message = named(t, row, "error_message"), failed = named(t, row, "error_occurred");
    g_autofree char *unit = slice_dup(named(t, row, "time_unit"));
    double value;
    run->workload = run_text(run, named(t, row, "name"));
    run_set(run, "label", named(t, row, "label"));
    if (slice_is(failed, "true") || message.len > 0) {
        g_autofree char *why = text_printable(message);
        run_fail(run, *why ? why : "the benchmark reported an error");
        run_missing(run, "real_time", run->why);
        return run_deliver(run, in, error);
    }
    for (size_t i = 0; i < t->columns; i++) {
        g_autofree char *name = text_printable(table_name(t, i));
        bool is_time = strcmp(name, "real_time") == 0 || strcmp(name, "cpu_time") == 0;
        bool skip = is_known_key(name) && !is_time && strcmp(name, "iterations") != 0;
        if (!skip && slice_to_double(table_cell(t, row, i), &value))
            run_metric(run, name, value,
                       is_time ? (unit && *unit ? unit : "ns") : counter_unit(name));
    }
    return run_deliver(run, in, error);
}

// The context goes to standard error; when both are in one file it stands before the table.
static char *table_start(char *text)
{
    char *at = strstr(text, "name,iterations,real_time");
    return at && (at == text || at[-1] == '\n') ? at : text;
}

static bool parse_csv(struct ingest *in, GError **error)
{
    char *text;
    size_t len;
    if (!csv_text(in, &text, &len, error))
        return false;
    bool cut = len > 0 && text[len - 1] != '\n';
    char *start = table_start(text);
    memmove(text, start, strlen(start) + 1);
    g_autoptr(table_t) t = table_from_csv_loose(in, text, strlen(text), ',', error);
    g_autoptr(run_builder_t) run = run_builder_new("google-benchmark");
    size_t rows = t ? t->rows : 0;
    if (rows > 0 && cut) { // the last field may lack digits
        rows--;
        in->summary.truncated = true;
        if (!ingest_skip(in, table_line(t, rows), "cut off", named(t, rows, "name"), error))
            return false;
    }
    for (size_t row = 0; row < rows; row++) {
        const char *end = aggregate_end(t, row);
        struct slice name = named(t, row, "name");
        bool alone = end && strcmp(end, "_mean") == 0 &&
                     !has_row(t, (struct slice){name.data, name.len - strlen(end)}, "");
        if ((!end && !give_row(in, t, row, run, error)) ||
            (alone && !give_mean_row(in, t, row, run, error)))
            return false;
    }
    return t && (in->runs > 0 || ingest_damaged(in, 0, error, "no benchmark in it"));
}

static int detect_json(struct slice head)
{
    return line_has(head, "\"benchmarks\"") && line_has(head, "\"context\"") ? 95
           : line_has(head, "\"library_build_type\"")                        ? 85
                                                                             : 0;
}

static int detect_csv(struct slice head)
{
    return line_has(head, "name,iterations,real_time,cpu_time,time_unit") ? 95 : 0;
}

const struct ingest_format format_google_benchmark = {
    .name = "google-benchmark",
    .summary = "Google Benchmark --benchmark_format=json",
    .detect = detect_json,
    .parse = parse_json,
};
const struct ingest_format format_google_benchmark_csv = {
    .name = "google-benchmark-csv",
    .summary = "Google Benchmark --benchmark_format=csv",
    .detect = detect_csv,
    .parse = parse_csv,
};
