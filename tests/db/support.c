// Facts to feed.
#include "support.h"

#include <glib/gstdio.h>
#include <math.h>
#include <sqlite3.h>

char *folder_new(void)
{
    GError *error = NULL;
    char *folder = g_dir_make_tmp("spinfault-db-XXXXXX", &error);
    g_assert_no_error(error);
    return folder;
}

unsigned folder_entries(const char *folder)
{
    unsigned n = 0;
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    while (g_dir_read_name(dir))
        n++;
    return n;
}

void folder_free(char *folder)
{
    GDir *dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_DIR) && !g_file_test(path, G_FILE_TEST_IS_SYMLINK))
            g_rmdir(path);
        else
            g_unlink(path);
    }
    if (dir)
        g_dir_close(dir);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
    g_free(folder);
}

char *in_folder(const char *folder, const char *name)
{
    return g_build_filename(folder, name, NULL);
}

struct archive *open_ok(const char *path, enum archive_mode mode)
{
    GError *error = NULL;
    struct archive *archive = archive_open(path, mode, &error);
    g_assert_no_error(error);
    g_assert_nonnull(archive);
    return archive;
}

struct source_summary summary_of(const char *format, const char *content)
{
    struct source_summary s = {.format = format, .bytes = strlen(content), .records = 7};
    digest_bytes(content, strlen(content), s.sha256);
    return s;
}

static void feed_run(const struct fact_sink *sink, const char *preempt, const char *page,
                     double tps, int64_t started_ns)
{
    GError *error = NULL;
    const struct setting settings[] = {
        {"preempt", preempt, false},
        {"page", page, false},
        {"clients", "1024", true},
        {"host", "db1", false},
        {"vcpus", "96", true},
        {"kernel", "7.0.0", false},
        {"scale", "8470", true},
        {"instance", "m8g.24xlarge", false},
        {"preempt_source", "dmesg", false},
        {"preempt_confidence", "certain", false},
    };
    const struct run_fact run = {"pgbench", "simple update",       started_ns, RUN_COMPLETE, NULL,
                                 settings,  G_N_ELEMENTS(settings)};
    const struct metric_fact metrics[] = {
        {"tps", tps, "1/s", NULL, BETTER_HIGHER, PROVENANCE_PUBLISHED, 3, NAN, NULL},
        {"latency_avg", 0.02, "s", "ms", BETTER_LOWER, PROVENANCE_MEASURED, 1, 0.001, NULL},
        {"failed", NAN, "1", NULL, BETTER_LOWER, PROVENANCE_MEASURED, 0, NAN, "not printed"},
    };
    assert_ok(sink_run(sink, &run, &error), error);
    for (size_t i = 0; i < G_N_ELEMENTS(metrics); i++)
        assert_ok(sink_metric(sink, &metrics[i], &error), error);
    for (int t = 0; t < 4; t++) {
        assert_ok(sink_series(sink, &(struct series_fact){"tps", 5.0 * t, false, tps + t}, &error),
                  error);
        assert_ok(sink_series(sink, &(struct series_fact){"latency_avg", 5.0 * t, false, 0.5 * t},
                              &error),
                  error);
    }
    const struct wait_fact wait = {"client backend", "Timeout", "SpinDelay", "active", 838, NAN};
    assert_ok(sink_wait(sink, &wait, &error), error);
}

void feed_runs(struct archive *archive, const char *content)
{
    const struct fact_sink *sink = archive_sink(archive);
    GError *error = NULL;
    const struct setting said[] = {{"campaign", "april", false}};
    const struct source_fact source = {"results/pgbench.csv", "csv", said, G_N_ELEMENTS(said)};
    const struct environment_fact facts[] = {
        {"server", "pg_settings", "shared_buffers", "15728640", "8kB", NULL},
        {"host", "/proc/vmstat", "pgfault", "12", NULL, "before"},
        {"host", "/proc/vmstat", "pgfault", "99", NULL, "after"},
    };
    assert_ok(sink_source_begin(sink, &source, &error), error);
    feed_run(sink, "PREEMPT_LAZY", "4k", 50751.96, 1774000000000000000);
    feed_run(sink, "none", "4096", 98565.86, 1775100000000000000);
    feed_run(sink, "lazy", "2M", 101000.5, INT64_MIN);
    for (size_t i = 0; i < G_N_ELEMENTS(facts); i++)
        assert_ok(sink_environment(sink, &facts[i], &error), error);
    assert_ok(sink_skipped(sink, &(struct skipped_fact){12, "no number", "abc;def"}, &error),
              error);
    struct source_summary summary = summary_of("csv", content);
    summary.skipped = 1;
    assert_ok(sink_source_end(sink, &summary, true, &error), error);
}

void feed_sample(const struct fact_sink *sink, const char *event, int64_t tid, uint64_t weight,
                 const char *const *symbols)
{
    GError *error = NULL;
    struct frame_fact frames[16] = {0};
    size_t n = 0;
    for (; symbols[n]; n++) {
        frames[n].has_ip = true;
        frames[n].ip = 0xffffffff81000000u + n;
        frames[n].symbol = strcmp(symbols[n], "-") == 0 ? SLICE_NULL : slice_from(symbols[n]);
        frames[n].has_offset = frames[n].symbol.data != NULL;
        frames[n].offset = 4 * (uint64_t)tid + n;
        frames[n].dso = n % 2 ? SLICE("/usr/bin/postgres") : SLICE("[kernel.kallsyms]");
        frames[n].inlined = n == 1;
        frames[n].srcline = n == 0 ? SLICE("freelist.c:273") : SLICE_NULL;
    }
    const struct sample_fact sample = {
        .fields = SAMPLE_PID | SAMPLE_TID | SAMPLE_CPU | SAMPLE_TIME | SAMPLE_PERIOD |
                  (tid % 2 ? SAMPLE_ADDR : 0),
        .comm = SLICE("postgres"),
        .event = slice_from(event),
        .misc = tid % 3 ? SLICE_NULL : SLICE("U"),
        .pid = 100,
        .tid = tid,
        .cpu = tid % 4,
        .time_ns = 1681831701000 + tid,
        .period = weight,
        .weight = weight,
        .addr = 0xffff888000001000u,
        .frames = frames,
        .n_frames = n,
        .line = 1,
    };
    assert_ok(sink_sample(sink, &sample, &error), error);
}

void feed_profile(struct archive *archive, const char *content, unsigned n)
{
    static const char *const stacks[][5] = {
        {"clear_page", "asm_exc_page_fault", "StrategyGetBuffer", "main", NULL},
        {"s_lock", "StrategyGetBuffer", "main", NULL},
        {"-", "main", NULL},
        {NULL},
        {"fib", "fib", "fib", "main", NULL},
    };
    const struct fact_sink *sink = archive_sink(archive);
    GError *error = NULL;
    const struct setting said[] = {{"preempt", "PREEMPT_LAZY", false}, {"page", "base", false}};
    const struct source_fact source = {"lazy.perf.txt", "perf-script", said, G_N_ELEMENTS(said)};
    const struct side_fact map = {
        .type = "mmap",
        .comm = SLICE("postgres"),
        .pid = 100,
        .tid = 100,
        .fields = SAMPLE_PID | SAMPLE_TID | SAMPLE_TIME,
        .time_ns = 5,
        .addr = 0x7f0000000000,
        .len = 4096,
        .prot = SLICE("rw-s"),
        .filename = SLICE("/dev/zero"),
    };
    const struct side_fact lost = {.type = "lost", .lost = 11};
    assert_ok(sink_source_begin(sink, &source, &error), error);
    assert_ok(sink_side(sink, &map, &error), error);
    for (unsigned i = 0; i < n; i++)
        feed_sample(sink, i % 7 == 6 ? "page-faults" : "cpu-clock", i % 5 + 1, 1000 + i % 3,
                    stacks[i % G_N_ELEMENTS(stacks)]);
    assert_ok(sink_side(sink, &lost, &error), error);
    struct source_summary summary = summary_of("perf-script", content);
    summary.lost = 11;
    assert_ok(sink_source_end(sink, &summary, true, &error), error);
}

void feed_scan(struct archive *archive, const char *root, int64_t started_ns,
               const char *const *fingerprints)
{
    const struct fact_sink *sink = archive_sink(archive);
    GError *error = NULL;
    const struct scan_fact scan = {root, "0.1.0", "abc123", started_ns};
    static const unsigned releases[] = {107, 115};
    static const struct access_fact accesses[] = {
        {112, "slots[].next_free", true, RESIDENCY_MAY_FAULT, WHY_RUN_TIME_INDEX, 8, 262144},
        {111, "pool->first", false, RESIDENCY_SAME_PAGE, WHY_NONE, 4, 0},
    };
    static const struct call_fact calls[] = {{111, "slot_at", EFFECT_PURE},
                                             {113, "*hook", EFFECT_UNKNOWN}};
    static const struct path_step path[] = {{"src/pool.c", 103, "acquired"},
                                            {"src/pool.c", 112, "read may fault"}};
    struct section_fact section = {
        "src/pool.c",
        "pool_take",
        103,
        releases,
        2,
        "SpinLockAcquire",
        "postgresql",
        "pool->guard",
        SCOPE_SINGLETON,
        MODE_EXCLUSIVE,
        true,
        false,
        12,
        accesses,
        2,
        calls,
        2,
        "SpinLockAcquire(&pool->guard);\n    x = 1;",
        100,
    };
    struct scan_summary summary = {
        .files = 9, .parsed = 4, .failed = 1, .sections = 2, .seconds = 3.125};
    assert_ok(sink_scan_begin(sink, &scan, &error), error);
    assert_ok(sink_file(sink, &(struct file_fact){"src/bad.c", FILE_FAILED, "no header"}, &error),
              error);
    assert_ok(sink_section(sink, &section, &error), error);
    section.file = "src/aaa.c";
    section.n_accesses = section.n_calls = section.n_release_lines = 0;
    section.excerpt = NULL;
    assert_ok(sink_section(sink, &section, &error), error);
    for (size_t i = 0; fingerprints[i]; i++) {
        const struct finding_fact finding = {
            "fault-under-lock",
            SEVERITY_HIGH,
            CONFIDENCE_MEDIUM,
            "src/pool.c",
            112,
            31,
            "pool_take",
            "pool->guard",
            103,
            "slots[].next_free",
            "may fault",
            "touch it before",
            fingerprints[i],
            false,
            true,
            path,
            2,
        };
        assert_ok(sink_finding(sink, &finding, &error), error);
        summary.findings[SEVERITY_HIGH]++;
    }
    assert_ok(sink_scan_end(sink, &summary, true, &error), error);
}

int64_t number_in(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    g_assert_cmpint(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), ==, SQLITE_OK);
    g_assert_cmpint(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), ==, SQLITE_OK);
    g_assert_cmpint(sqlite3_step(statement), ==, SQLITE_ROW);
    int64_t value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return value;
}

void run_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        g_error("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_close(db);
}
