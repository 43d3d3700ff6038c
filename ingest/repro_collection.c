// The flat results.json of aws/repro-collection's PostgreSQL workload. In it 0 means "not printed"
// for the tps with connections and for the deviation.
#include "formats.h"
#include "json_doc.h"
#include "lines.h"

static bool parse(struct ingest *in, GError **error)
{
    g_autoptr(run_builder_t) run = run_builder_new("pgbench");
    json_t *doc = json_doc_read(in, error);
    if (!doc)
        return false;
    double tps = json_number(doc, "tps_excluding_conn"), value;
    run->workload =
        json_text(doc, "builtin") ? json_text(doc, "builtin") : json_text(doc, "script");
    json_setting(run, doc, "scale_factor", "scale");
    json_setting(run, doc, "clients", "clients");
    json_setting(run, doc, "threads", "threads");
    json_setting(run, doc, "duration_sec", "duration_s");
    json_setting(run, doc, "protocol", "protocol");
    if (tps > 0) {
        run_metric(run, "tps", tps, "1/s");
    } else {
        run_missing(run, "tps", "0 is what this file says when none was printed");
        run_fail(run, "no tps was printed");
    }
    if ((value = json_number(doc, "tps_including_conn")) > 0)
        run_metric(run, "tps_including_connections", value, "1/s");
    if ((value = json_number(doc, "latency_avg_ms")) > 0)
        run_metric(run, "latency_avg", value, "ms");
    if ((value = json_number(doc, "latency_stddev_ms")) > 0)
        run_metric(run, "latency_stddev", value, "ms");
    json_metric(run, doc, "transactions", "transactions", NULL);
    bool ok = run_deliver(run, in, error);
    json_decref(doc);
    return ok;
}

static int detect(struct slice head)
{
    return line_has(head, "\"score_units\"") && line_has(head, "\"tps_excluding_conn\"") ? 95 : 0;
}

const struct ingest_format format_repro_collection = {
    .name = "repro-collection",
    .summary = "results.json of aws/repro-collection's PostgreSQL workload",
    .detect = detect,
    .parse = parse,
};
