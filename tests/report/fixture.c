// The figures are those that were published in April 2026; profiles and sources are made up.
#include "fixture.h"

#include <glib/gstdio.h>

static const struct fact_sink *sink;

static void ok(bool result, GError *error)
{
    if (!result)
        g_error("%s", error ? error->message : "a sink said no without a reason");
}

#define PUT(call, fact)                                                                            \
    do {                                                                                           \
        GError *failure = NULL;                                                                    \
        ok(sink_##call(sink, fact, &failure), failure);                                            \
    } while (0)

static void begin(const char *path, const char *format)
{
    PUT(source_begin, (&(struct source_fact){path, format}));
}

static void begin_with(const char *path, const char *format, const struct setting *setting)
{
    PUT(source_begin, (&(struct source_fact){path, format, setting, 1}));
}

static void end(const char *path)
{
    GError *error = NULL;
    struct source_summary summary = {.format = "test", .bytes = 1000, .records = 10};
    digest_bytes(path, strlen(path), summary.sha256);
    ok(sink_source_end(sink, &summary, true, &error), error);
}

struct point {
    const char *study, *machine, *arch, *vcpus, *clients, *preempt, *page;
    double tps;
    unsigned n; // 0: not stated
};

static void put_point(const struct point *p)
{
    struct setting settings[] = {
        {"source", p->study, false},        {"instance", p->machine, false},
        {"arch", p->arch, false},           {"vcpus", p->vcpus, true},
        {"preempt", p->preempt, false},     {"page", p->page, false},
        {"shared_buffers", "120GB", false}, {"clients", p->clients, true},
    };
    PUT(run, (&(struct run_fact){.benchmark = "pgbench",
                                 .workload = "simple update",
                                 .started_ns = INT64_MIN,
                                 .settings = settings,
                                 .n_settings = G_N_ELEMENTS(settings) - !p->clients}));
    PUT(metric, (&(struct metric_fact){.name = "tps",
                                       .value = p->tps,
                                       .unit = "1/s",
                                       .better = BETTER_HIGHER,
                                       .provenance = PROVENANCE_PUBLISHED,
                                       .n = p->n,
                                       .stddev = NAN}));
}

static void fill_runs(void)
{
    static const struct point points[] = {
        {"first", "m8g.24xlarge", "arm64", "96", "1024", "lazy", "4K", 50751.96, 3},
        {"first", "m8g.24xlarge", "arm64", "96", "1024", "none", "4K", 98565.86, 3},
        {"second", "m8g.24xlarge", "arm64", "96", "1024", "lazy", "2M", 186664.56, 0},
        {"second", "m8g.24xlarge", "arm64", "96", "1024", "none", "2M", 189934.34, 0},
        {"second", "m8g.2xlarge", "arm64", "8", NULL, "lazy", "4K", 23438.98, 0},
        {"second", "m8g.2xlarge", "arm64", "8", NULL, "none", "4K", 21378.73, 0},
        {"second", "m7i.24xlarge", "x86_64", "96", NULL, "lazy", "4K", 63489.67, 0},
        {"second", "m7i.24xlarge", "x86_64", "96", NULL, "none", "4K", 67314.40, 0},
    };
    static const struct {
        const char *point, *type, *event, *state;
        uint64_t count;
    } waits[] = {
        {"lazy", "Timeout", "SpinDelay", "active", 838},
        {"lazy", "Timeout", "SpinDelay", "idle", 2},
        {"lazy", "LWLock", "WALWrite", "active", 3},
        {"none", "LWLock", "WALWrite", "active", 922},
        {"none", "Timeout", "SpinDelay", "active", 4},
    };
    begin("april.csv", "csv");
    for (size_t i = 0; i < G_N_ELEMENTS(points); i++)
        put_point(&points[i]);
    for (size_t i = 0; i < G_N_ELEMENTS(waits); i++) {
        struct setting settings[] = {{"preempt", waits[i].point, false}, {"page", "4K", false}};
        PUT(run, (&(struct run_fact){.benchmark = "waits",
                                     .started_ns = INT64_MIN,
                                     .settings = settings,
                                     .n_settings = 2}));
        PUT(wait, (&(struct wait_fact){"client backend", waits[i].type, waits[i].event,
                                       waits[i].state, waits[i].count, NAN}));
    }
    end("april.csv");
}

static void fill_repeated(void)
{
    static const double slow[] = {464000, 470000, 455000, 461000, 480000};
    static const double fast[] = {1034000, 1020000, 1051000, 1029000, 1044000};
    begin("matrix.csv", "csv");
    for (size_t i = 0; i < 10; i++) {
        struct setting settings[] = {{"page", i < 5 ? "4K" : "2M", false},
                                     {"lock", "backoff", false},
                                     {"host", "bench", false}};
        PUT(run, (&(struct run_fact){.benchmark = "pool",
                                     .workload = "take",
                                     .started_ns = INT64_MIN,
                                     .settings = settings,
                                     .n_settings = G_N_ELEMENTS(settings)}));
        PUT(metric, (&(struct metric_fact){.name = "tps",
                                           .value = i < 5 ? slow[i] : fast[i - 5],
                                           .unit = "1/s",
                                           .better = BETTER_HIGHER,
                                           .provenance = PROVENANCE_MEASURED,
                                           .n = 1,
                                           .stddev = NAN}));
    }
    end("matrix.csv");
}

// `chain` is root first, with blanks between. A sample a millisecond; queries run in a thread of
// their own.
static void put_sample(const char *event, const char *chain, unsigned times)
{
    g_auto(GStrv) names = g_strsplit(chain, " ", -1);
    struct frame_fact frames[16] = {{0}};
    size_t n = g_strv_length(names);
    for (size_t i = 0; i < n; i++) {
        char *line = strchr(names[n - 1 - i], '|'); // "function|file.c:12"
        if (line) {
            *line = '\0';
            frames[i].srcline = slice_from(line + 1);
        }
        frames[i].symbol = slice_from(names[n - 1 - i]);
        frames[i].dso = slice_from("/usr/bin/postgres");
    }
    static int64_t now_ns = 1000000000;
    struct sample_fact sample = {.fields = SAMPLE_PID | SAMPLE_TID | SAMPLE_TIME,
                                 .comm = SLICE("postgres"),
                                 .event = slice_from(event),
                                 .pid = 10,
                                 .tid = strstr(chain, "exec_simple_query") ? 11 : 10,
                                 .weight = 1,
                                 .frames = frames,
                                 .n_frames = n};
    for (unsigned i = 0; i < times; i++, now_ns += 1000000) {
        sample.time_ns = now_ns;
        PUT(sample, &sample);
    }
}

static void fill_profiles(void)
{
    begin("cpu.perf.txt", "perf-script");
    put_sample("cpu-clock", "main StartReadBuffer GetVictimBuffer StrategyGetBuffer s_lock", 56);
    put_sample("cpu-clock", "main StartReadBuffer hash_search", 20);
    put_sample("cpu-clock", "main ReleaseSlot", 4);
    put_sample("cpu-clock", "main exec_simple_query", 20);
    end("cpu.perf.txt");
    begin("faults.perf.txt", "perf-script");
    put_sample("page-faults", "main StartReadBuffer GetVictimBuffer StrategyGetBuffer", 30);
    put_sample("page-faults", "main exec_simple_query memcpy", 10);
    end("faults.perf.txt");
}

// The same function faults at two lines; the finding is about one of them, or about neither.
static void fill_lines(const char *first, const char *second)
{
    begin("lines.perf.txt", "perf-script");
    put_sample("page-faults", first, 7);
    put_sample("page-faults", second, 2);
    end("lines.perf.txt");
}

// The lazy one comes first; the base is the one without preemption all the same.
static void fill_pair(void)
{
    static const struct setting lazy = {"preempt", "lazy", false},
                                none = {"preempt", "none", false};
    begin_with("lazy.perf.txt", "perf-script", &lazy);
    put_sample("cycles", "main StartReadBuffer s_lock", 60);
    put_sample("cycles", "main exec_simple_query", 40);
    end("lazy.perf.txt");
    begin_with("none.perf.txt", "perf-script", &none);
    put_sample("cycles", "main StartReadBuffer", 15);
    put_sample("cycles", "main exec_simple_query", 60);
    put_sample("cycles", "main vacuum", 25);
    end("none.perf.txt");
}

static void fill_markup(void)
{
    begin("markup.perf.txt", "perf-script");
    put_sample("cpu-clock", "main </script><b>&", 5);
    put_sample("cpu-clock", "main exec_simple_query", 5);
    end("markup.perf.txt");
}

static void fill_unrelated(void)
{
    begin("other.perf.txt", "perf-script");
    put_sample("cpu-clock", "main compress deflate", 5);
    end("other.perf.txt");
}

static const char excerpt[] = "    for (;;)\n"
                              "    {\n"
                              "        SpinLockAcquire(&pool->guard);\n"
                              "        if (pool->first < 0)\n"
                              "        {\n"
                              "            SpinLockRelease(&pool->guard);\n"
                              "            break;\n"
                              "        }\n"
                              "        slot = &slots[pool->first];\n"
                              "        pool->first = slot->next;   /* <the touch> & \"more\" */\n"
                              "        SpinLockRelease(&pool->guard);\n";

static void put_sections(void)
{
    static const unsigned releases[] = {275, 280};
    static const struct access_fact accesses[] = {
        {273, "pool->first", false, RESIDENCY_SAME_PAGE, WHY_NONE, 4, 0},
        {279, "slots[].next", false, RESIDENCY_MAY_FAULT, WHY_RUN_TIME_INDEX, 4, 262144},
    };
    static const struct call_fact calls[] = {{278, "slot_at", EFFECT_PURE}};
    struct section_fact section = {.file = "src/freelist.c",
                                   .function = "StrategyGetBuffer",
                                   .acquire_line = 272,
                                   .release_lines = releases,
                                   .n_release_lines = 2,
                                   .api = "SpinLockAcquire",
                                   .model = "postgresql",
                                   .lock = "pool->guard",
                                   .scope = SCOPE_SINGLETON,
                                   .cost = 12,
                                   .accesses = accesses,
                                   .n_accesses = 2,
                                   .calls = calls,
                                   .n_calls = 1,
                                   .excerpt = excerpt,
                                   .excerpt_line = 270};
    PUT(section, &section);
    section.file = "src/slot.c";
    section.function = "ReleaseSlot";
    section.acquire_line = 40;
    section.n_accesses = section.n_calls = 0;
    section.n_release_lines = 0;
    section.excerpt = NULL;
    PUT(section, &section);
}

static void put_finding(enum severity severity, const char *file, unsigned line, unsigned acquire,
                        const char *function, const char *object)
{
    struct path_step path[] = {{file, acquire, "acquired"}, {file, line, "may fault"}};
    g_autofree char *print = g_strdup_printf("%016x", line);
    PUT(finding,
        (&(struct finding_fact){.rule = "fault-under-lock",
                                .severity = severity,
                                .confidence = CONFIDENCE_HIGH,
                                .file = file,
                                .line = line,
                                .column = 9,
                                .function = function,
                                .lock = "pool->guard",
                                .acquire_line = acquire,
                                .object = object,
                                .message = "memory that may fault is read under a spinlock",
                                .suggestion = "touch it before the lock is taken",
                                .fingerprint = print,
                                .path = path,
                                .n_path = 2}));
}

static void fill_many(void)
{
    PUT(scan_begin, (&(struct scan_fact){"/src/pool", "0.1.0", "abc123", 1775000000000000000}));
    put_sections();
    for (unsigned i = 0; i < 700; i++)
        put_finding(SEVERITY_HIGH, "src/many.c", 10 + i, 0, "take", "slots[].next");
    struct scan_summary summary = {.files = 10, .parsed = 4, .sections = 2};
    summary.findings[SEVERITY_HIGH] = 700;
    GError *error = NULL;
    ok(sink_scan_end(sink, &summary, true, &error), error);
}

static void fill_scan(void)
{
    PUT(scan_begin, (&(struct scan_fact){"/src/pool", "0.1.0", "abc123", 1775000000000000000}));
    put_sections();
    put_finding(SEVERITY_MEDIUM, "src/slot.c", 44, 40, "ReleaseSlot", "slot->owner");
    put_finding(SEVERITY_HIGH, "src/freelist.c", 279, 272, "StrategyGetBuffer", "slots[].next");
    put_finding(SEVERITY_HIGH, "src/other.c", 9, 0, "never_called", "x | y");
    PUT(file, (&(struct file_fact){"src/broken.c", FILE_FAILED, "a header is missing"}));
    struct scan_summary summary = {.files = 10, .parsed = 4, .failed = 1, .sections = 2};
    summary.findings[SEVERITY_HIGH] = 2;
    summary.findings[SEVERITY_MEDIUM] = 1;
    GError *error = NULL;
    ok(sink_scan_end(sink, &summary, true, &error), error);
}

struct archive *fixture_open(char **dir)
{
    GError *error = NULL;
    *dir = g_dir_make_tmp("spinfault-report-XXXXXX", &error);
    ok(*dir != NULL, error);
    g_autofree char *path = g_build_filename(*dir, "test.db", NULL);
    struct archive *archive = archive_open(path, ARCHIVE_WRITE, &error);
    ok(archive != NULL, error);
    return archive;
}

void fixture_fill(struct archive *archive, unsigned parts)
{
    sink = archive_sink(archive);
    if (parts & FIXTURE_RUNS)
        fill_runs();
    if (parts & FIXTURE_REPEATED)
        fill_repeated();
    if (parts & FIXTURE_PROFILES)
        fill_profiles();
    if (parts & FIXTURE_PAIR)
        fill_pair();
    if (parts & FIXTURE_LINES)
        fill_lines("main|main.c:1 StrategyGetBuffer|/src/freelist.c:279",
                   "main|main.c:1 StrategyGetBuffer|freelist.c:300 memcpy");
    if (parts & FIXTURE_OTHER_LINES)
        fill_lines("main|main.c:1 StrategyGetBuffer|freelist.c:300",
                   "main|main.c:1 StrategyGetBuffer|other.c:279");
    if (parts & FIXTURE_UNRELATED)
        fill_unrelated();
    if (parts & FIXTURE_SCAN)
        fill_scan();
    if (parts & FIXTURE_MANY)
        fill_many();
    if (parts & FIXTURE_MARKUP)
        fill_markup();
}

void fixture_close(struct archive *archive, char *dir)
{
    archive_close(archive);
    GDir *open = g_dir_open(dir, 0, NULL);
    for (const char *name; open && (name = g_dir_read_name(open));) {
        g_autofree char *path = g_build_filename(dir, name, NULL);
        g_unlink(path);
    }
    if (open)
        g_dir_close(open);
    g_rmdir(dir);
    g_free(dir);
}
