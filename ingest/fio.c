// fio --output-format=json (also json+, and with messages before the document). A job is a run.
#include "formats.h"
#include "json_doc.h"
#include "lines.h"

#include <string.h>

// "clat_ns" since version 3; "clat" in microseconds before.
static json_t *latency_of(json_t *side, const char *kind, const char **unit)
{
    g_autofree char *ns = g_strconcat(kind, "_ns", NULL);
    json_t *v = json_object_get(side, ns);
    *unit = "ns";
    if (json_is_object(v))
        return v;
    *unit = "us";
    return json_object_get(side, kind);
}

static void add(struct run_builder *run, const char *side, const char *name, double value,
                const char *unit)
{
    g_autofree char *full = g_strdup_printf("%s/%s", side, name);
    if (isfinite(value))
        run_metric(run, full, value, unit);
}

static void give_side(struct run_builder *run, json_t *job, const char *name)
{
    static const struct {
        const char *percent, *metric;
    } ranks[] = {{"50.000000", "latency_p50"},
                 {"90.000000", "latency_p90"},
                 {"95.000000", "latency_p95"},
                 {"99.000000", "latency_p99"},
                 {"99.900000", "latency_p999"}};
    json_t *side = json_object_get(job, name);
    const char *unit;
    if (!(json_number(side, "total_ios") > 0))
        return;
    double bytes = json_number(side, "bw_bytes");
    add(run, name, "iops", json_number(side, "iops"), "1/s");
    if (isfinite(bytes))
        add(run, name, "bandwidth", bytes, "B/s");
    else
        add(run, name, "bandwidth", json_number(side, "bw"), "KiB/s");
    add(run, name, "total_ios", json_number(side, "total_ios"), NULL);
    json_t *all = latency_of(side, "lat", &unit);
    add(run, name, "latency_avg", json_number(all, "mean"), unit);
    add(run, name, "latency_stddev", json_number(all, "stddev"), unit);
    add(run, name, "latency_max", json_number(all, "max"), unit);
    json_t *completion = latency_of(side, "clat", &unit);
    json_t *percentiles = json_object_get(completion, "percentile");
    if (!percentiles) // --lat_percentiles=1 --clat_percentiles=0
        percentiles = json_object_get(latency_of(side, "lat", &unit), "percentile");
    for (size_t i = 0; i < G_N_ELEMENTS(ranks); i++)
        add(run, name, ranks[i].metric, json_number(percentiles, ranks[i].percent), unit);
}

static void give_options(struct run_builder *run, json_t *options)
{
    const char *key;
    json_t *value;
    json_object_foreach(options, key, value)
    {
        const char *name = strcmp(key, "numjobs") == 0 ? "clients" : key;
        if (strcmp(key, "name") != 0)
            json_setting(run, options, key, name);
    }
}

static bool give_job(struct ingest *in, struct run_builder *run, json_t *doc, json_t *job,
                     GError **error)
{
    run->workload = json_text(job, "jobname");
    give_options(run, json_object_get(doc, "global options"));
    give_options(run, json_object_get(job, "job options"));
    json_setting(run, doc, "fio version", "fio_version");
    json_setting(run, job, "hostname", "host");
    give_side(run, job, "read");
    give_side(run, job, "write");
    give_side(run, job, "trim");
    json_metric(run, job, "usr_cpu", "user_cpu", "%");
    json_metric(run, job, "sys_cpu", "system_cpu", "%");
    json_metric(run, job, "ctx", "context_switches", NULL);
    json_metric(run, job, "minf", "minor_faults", NULL);
    json_metric(run, job, "majf", "major_faults", NULL);
    if (json_number(job, "error") > 0) {
        g_autofree char *why = g_strdup_printf("fio reports error %g", json_number(job, "error"));
        run_fail(run, why);
    }
    return run_deliver(run, in, error);
}

static bool parse(struct ingest *in, GError **error)
{
    g_autoptr(run_builder_t) run = run_builder_new("fio");
    json_t *doc = json_doc_read(in, error), *job;
    size_t i;
    bool ok = doc != NULL;
    // Of several servers the sum stands behind them under a name of its own.
    bool servers = json_is_array(json_object_get(doc, "client_stats"));
    json_array_foreach(json_object_get(doc, servers ? "client_stats" : "jobs"), i, job) ok =
        ok && (g_strcmp0(json_text(job, "jobname"), "All clients") == 0 ||
               give_job(in, run, doc, job, error));
    json_decref(doc);
    if (ok && in->runs == 0)
        return ingest_damaged(in, 0, error, "fio wrote no job into it");
    return ok;
}

static int detect(struct slice head)
{
    return line_has(head, "\"fio version\"") ? 95 : 0;
}

const struct ingest_format format_fio = {
    .name = "fio",
    .summary = "fio --output-format=json or json+",
    .detect = detect,
    .parse = parse,
};
