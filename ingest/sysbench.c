// sysbench 0.4 to 1.1: the report at the end, and the lines of --report-interval before it.
#include "formats.h"
#include "lines.h"
#include "metrics.h"
#include "run_builder.h"

struct parser {
    struct ingest *in;
    struct run_builder *run;
    bool seen;     // "sysbench VERSION"
    bool latency;  // below "Latency (ms):"
    bool fairness; // below "Threads fairness:"
    unsigned percentile_known;
};

// "KEY:  VALUE": a metric. The first that fits wins.
static const struct {
    const char *key, *name, *unit;
} keys[] = {
    {"events per second:", "events_per_second", "1/s"},
    {"events/s (eps):", "events_per_second", "1/s"},
    {"total time:", "elapsed", "s"},
    {"time elapsed:", "elapsed", "s"},
    {"total number of events:", "events", NULL},
    {"ignored errors:", "failed", NULL},
    {"reconnects:", "reconnects", NULL},
    {"reads/s:", "reads_per_second", "1/s"},
    {"writes/s:", "writes_per_second", "1/s"},
    {"fsyncs/s:", "fsyncs_per_second", "1/s"},
    {"read, MiB/s:", "read", "MiB/s"},
    {"written, MiB/s:", "written", "MiB/s"},
};

static bool key_line(struct parser *p, struct slice line)
{
    double value;
    struct slice rest, after;
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        after = line_after(line, keys[i].key);
        if (after.data && line_number(after, &value, NULL)) {
            run_metric(p->run, keys[i].name, value, keys[i].unit);
            return true;
        }
    }
    // "transactions:   20526  (6753.08 per sec.)"
    after = line_after(line, "transactions:");
    if (after.data && line_number(after, &value, &rest)) {
        run_metric(p->run, "transactions", value, NULL);
        if (line_number(line_after(rest, "("), &value, NULL))
            run_metric(p->run, "tps", value, "1/s");
        return true;
    }
    after = line_after(line, "queries:");
    if (after.data && line_number(after, &value, &rest) &&
        line_number(line_after(rest, "("), &value, NULL)) {
        run_metric(p->run, "queries_per_second", value, "1/s");
        return true;
    }
    after = line_after(line, "Total operations:");
    if (after.data && line_number(line_after(after, "("), &value, NULL)) {
        run_metric(p->run, "operations_per_second", value, "1/s");
        return true;
    }
    after = line_after(line, "MiB transferred (");
    if (after.data && line_number(after, &value, NULL)) {
        run_metric(p->run, "transferred", value, "MiB/s");
        return true;
    }
    return false;
}

// "         95th percentile:       12.30", in ms
static bool latency_line(struct parser *p, struct slice line)
{
    static const struct {
        const char *key, *name;
    } names[] = {{"min:", "latency_min"}, {"avg:", "latency_avg"}, {"max:", "latency_max"}};
    double value, percent;
    struct slice s = slice_trim(line);
    if (slice_starts(s, "approx.")) // 0.4 and 0.5: "approx.  95 percentile:   5.10ms"
        s = slice_trim((struct slice){s.data + 7, s.len - 7});
    if (line_number(s, &percent, NULL) && line_has(s, "percentile:") &&
        line_number(line_after(s, "percentile:"), &value, NULL)) {
        g_autofree char *name = g_strdup_printf("latency_p%g", percent);
        run_metric(p->run, name, value, "ms");
        return true;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (slice_starts(s, names[i].key) &&
            line_number(line_after(s, names[i].key), &value, NULL)) {
            run_metric(p->run, names[i].name, value, "ms");
            return true;
        }
    }
    return slice_starts(s, "sum:") || slice_starts(s, "percentile stats: disabled");
}

// "[ 1s ] thds: 2 tps: 6753.08 qps: … lat (ms,95%): 1.47 err/s: 0.00 reconn/s: 0.00"
static bool interval_line(struct parser *p, struct slice line)
{
    static const struct {
        const char *key, *name;
        double factor;
    } parts[] = {{"tps: ", "tps", 1},
                 {"qps: ", "queries_per_second", 1},
                 {"eps: ", "events_per_second", 1},
                 {"%): ", "latency_percentile", 1e-3},
                 {"response time: ", "latency_percentile", 1e-3},
                 {"err/s: ", "failed_per_second", 1}};
    double t, value;
    if (!slice_starts(line, "[ ") || !line_number(line_after(line, "[ "), &t, NULL) ||
        !(line_has(line, "thds:") || line_has(line, "threads: ")))
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
        if (line_number(line_after(line, parts[i].key), &value, NULL))
            run_series(p->run, parts[i].name, t, unit_apply(value, parts[i].factor));
    return true;
}

static bool setting_line(struct parser *p, struct slice line)
{
    static const struct {
        const char *key, *name;
    } settings[] = {{"Number of threads:", "threads"}, {"Prime numbers limit:", "prime_limit"},
                    {"block size:", "block_size"},     {"total size:", "total_size"},
                    {"operation:", "operation"},       {"scope:", "scope"}};
    for (size_t i = 0; i < G_N_ELEMENTS(settings); i++) {
        struct slice value = line_after(line, settings[i].key);
        if (value.data) {
            run_set(p->run, settings[i].name, value);
            return true;
        }
    }
    static const struct {
        const char *text, *workload;
    } kinds[] = {{"CPU speed:", "cpu"},
                 {"memory speed test", "memory"},
                 {"SQL statistics:", "oltp"},
                 {"OLTP test statistics:", "oltp"},
                 {"File operations:", "fileio"}};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (line_has(line, kinds[i].text)) {
            p->run->workload = kinds[i].workload;
            return true;
        }
    }
    return false;
}

static bool is_chatter(struct slice line)
{
    static const char *const texts[] = {"Running the test",
                                        "Initializing",
                                        "Threads started",
                                        "Throughput:",
                                        "histogram",
                                        "distribution",
                                        " |",
                                        "queries performed:",
                                        "read:",
                                        "write:",
                                        "other:",
                                        "total:",
                                        "with the following",
                                        "(avg/stddev):",
                                        "read/write requests:",
                                        "other operations:",
                                        "deadlocks:",
                                        "Test execution summary:",
                                        "General statistics:",
                                        "total time taken by event execution:",
                                        "sysbench ",
                                        "Extra file open flags:",
                                        " files, ",
                                        " total file size",
                                        "Block size ",
                                        "Number of IO requests:",
                                        "Read/Write ratio",
                                        "FSYNC enabled",
                                        "Calling fsync()",
                                        " I/O mode",
                                        "Doing ",
                                        "Report intermediate"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        if (line_has(line, texts[i]))
            return true;
    return slice_trim(line).len == 0;
}

// "sysbench 1.0.20 (using system LuaJIT 2.1)", "sysbench 0.5:  multi-threaded …", and not the
// command, which may be there as well.
static bool is_start(struct slice line)
{
    return slice_starts(line, "sysbench ") && line.len > 9 && g_ascii_isdigit(line.data[9]);
}

// The fairness of threads is what a report ends with.
static void end_report(struct parser *p)
{
    if (p->run->metrics->len == 0)
        run_fail(p->run, "the report has no figures: the text is cut off, or the run failed");
    else if (!p->fairness)
        run_fail(p->run, "the report ends before its last part: the text is cut off");
}

static bool any_line(void *parser, struct slice line, GError **error)
{
    struct parser *p = parser;
    if (p->in->reader->cut) {
        p->in->summary.truncated = true;
        return ingest_skip(p->in, p->in->reader->line, "cut off", line, error);
    }
    if (is_start(line)) {
        if (p->seen)
            end_report(p);
        if (p->seen && !run_deliver(p->run, p->in, error))
            return false;
        p->seen = true;
        p->latency = p->fairness = false;
        struct slice rest = line_after(line, "sysbench "), version = line_word(&rest);
        if (slice_ends(version, ":"))
            version.len--;
        run_set(p->run, "sysbench_version", version);
        return true;
    }
    if (line_has(line, "Latency (ms):") || slice_is(slice_trim(line), "response time:") ||
        slice_is(slice_trim(line), "per-request statistics:")) {
        p->latency = true;
        return true;
    }
    if (line_has(line, "Threads fairness:") || line_has(line, "Threads fairness (")) {
        p->latency = false;
        p->fairness = true;
        return true;
    }
    if ((p->latency && latency_line(p, line)) || interval_line(p, line) || key_line(p, line) ||
        setting_line(p, line) || is_chatter(line))
        return true;
    if (line_has(line, "FATAL:")) {
        g_autofree char *why = text_printable(slice_trim(line));
        run_fail(p->run, why);
        return true;
    }
    return ingest_skip(p->in, p->in->reader->line, "no line of sysbench's report", line, error);
}

static bool parse(struct ingest *in, GError **error)
{
    g_autoptr(run_builder_t) run = run_builder_new("sysbench");
    struct parser p = {.in = in, .run = run};
    if (!lines_each(in, any_line, &p, error))
        return false;
    end_report(&p);
    return run_deliver(run, in, error);
}

static int detect(struct slice head)
{
    struct slice rest = head, line;
    bool start = false;
    while (!start && head_line(&rest, &line))
        start = is_start(line);
    if (start && (line_has(head, "Number of threads:") || line_has(head, "Running the test")))
        return 95;
    return line_has(head, "Threads fairness:") && line_has(head, "total number of events:") ? 80
                                                                                            : 0;
}

const struct ingest_format format_sysbench = {
    .name = "sysbench",
    .summary = "sysbench's report and its interval lines",
    .detect = detect,
    .parse = parse,
};
