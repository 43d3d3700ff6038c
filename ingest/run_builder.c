// Runs under construction.
#include "run_builder.h"

#include "metrics.h"
#include "settings.h"

struct run_builder *run_builder_new(const char *benchmark)
{
    struct run_builder *run = g_new0(struct run_builder, 1);
    run->benchmark = benchmark;
    run->settings = settings_new();
    run->metrics = g_array_new(FALSE, FALSE, sizeof(struct metric_fact));
    run->series = g_array_new(FALSE, FALSE, sizeof(struct series_fact));
    run->text = g_string_chunk_new(1024);
    run_builder_reset(run);
    return run;
}

void run_builder_free(struct run_builder *run)
{
    if (!run)
        return;
    g_ptr_array_unref(run->settings);
    g_array_unref(run->metrics);
    g_array_unref(run->series);
    g_string_chunk_free(run->text);
    g_free(run);
}

void run_builder_reset(struct run_builder *run)
{
    g_ptr_array_set_size(run->settings, 0);
    g_array_set_size(run->metrics, 0);
    g_array_set_size(run->series, 0);
    g_string_chunk_clear(run->text);
    run->workload = run->why = NULL;
    run->started_ns = INT64_MIN;
    run->status = RUN_COMPLETE;
    run->provenance = PROVENANCE_MEASURED;
}

const char *run_text(struct run_builder *run, struct slice s)
{
    g_autofree char *clean = text_printable(s);
    return g_string_chunk_insert_const(run->text, clean);
}

void run_set(struct run_builder *run, const char *key, struct slice value)
{
    g_autofree char *text = text_printable(slice_trim(value));
    if (*text)
        settings_set(run->settings, key, text);
}

void run_fail(struct run_builder *run, const char *why)
{
    run->status = RUN_ABORTED;
    if (!run->why)
        run->why = g_string_chunk_insert(run->text, why);
}

struct metric_fact *run_metric(struct run_builder *run, const char *name, double value,
                               const char *source_unit)
{
    const char *base = source_unit;
    double factor = 1;
    bool known = source_unit && unit_parse(slice_from(source_unit), &base, &factor);
    struct metric_fact m = {.name = g_string_chunk_insert_const(run->text, name),
                            .value = unit_apply(value, factor),
                            .provenance = run->provenance,
                            .n = 1,
                            .stddev = NAN};
    m.unit = known ? base : source_unit ? g_string_chunk_insert_const(run->text, source_unit) : "1";
    if (known && strcmp(base, source_unit) != 0)
        m.source_unit = g_string_chunk_insert_const(run->text, source_unit);
    m.better = metric_better(name, m.unit);
    g_array_append_val(run->metrics, m);
    return &g_array_index(run->metrics, struct metric_fact, run->metrics->len - 1);
}

void run_missing(struct run_builder *run, const char *name, const char *why)
{
    struct metric_fact *m = run_metric(run, name, NAN, metric_unit(name));
    m->why = g_string_chunk_insert_const(run->text, why);
}

void run_series(struct run_builder *run, const char *name, double t, double value)
{
    if (!isfinite(value) || !isfinite(t))
        return;
    struct series_fact point = {.name = g_string_chunk_insert_const(run->text, name),
                                .t = t,
                                .epoch = t > 1e9,
                                .value = value};
    g_array_append_val(run->series, point);
}

struct metric_fact *run_find_metric(struct run_builder *run, const char *name)
{
    for (guint i = 0; i < run->metrics->len; i++) {
        struct metric_fact *m = &g_array_index(run->metrics, struct metric_fact, i);
        if (strcmp(m->name, name) == 0)
            return m;
    }
    return NULL;
}

bool run_deliver(struct run_builder *run, struct ingest *in, GError **error)
{
    g_autofree struct setting *settings = settings_flat(run->settings);
    struct run_fact fact = {.benchmark = run->benchmark,
                            .workload = run->workload,
                            .started_ns = run->started_ns,
                            .status = run->status,
                            .why = run->why,
                            .settings = settings,
                            .n_settings = run->settings->len};
    if (!ingest_run(in, &fact, error))
        return false;
    for (guint i = 0; i < run->metrics->len; i++)
        if (!ingest_metric(in, &g_array_index(run->metrics, struct metric_fact, i), error))
            return false;
    for (guint i = 0; i < run->series->len; i++)
        if (!ingest_series(in, &g_array_index(run->series, struct series_fact, i), error))
            return false;
    run_builder_reset(run);
    return true;
}
