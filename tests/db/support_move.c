// What the tests of export, import and merging share.
#include "support.h"

#include <math.h>

void feed_odd(struct archive *a)
{
    GError *error = NULL;
    const struct fact_sink *sink = archive_sink(a);
    const struct setting odd[] = {{"quote\"key", "tab\there\nline\x01 €", false},
                                  {"preempt", "sometimes", false},
                                  {"ratio", "1.50", true}};
    const struct source_fact source = {"odd \"name\"\\.txt", "perf-script", odd, G_N_ELEMENTS(odd)};
    const struct frame_fact frames[] = {
        {.symbol = {"a\xff\0b", 4}, .dso = {"", 0}, .has_offset = true},
        {.has_ip = true, .ip = 0xffffffffff600000u, .dso = SLICE("[vsyscall]")},
        {.has_ip = true, .ip = 5},
    };
    const struct sample_fact full = {
        .fields = 0xfff,
        .comm = {"\xff", 1},
        .event = {"", 0},
        .misc = SLICE("K"),
        .tod = SLICE("2026-01-01 00:00:00"),
        .payload = SLICE("prev_pid=1 \xe2\x82\xac"),
        .pid = -1,
        .tid = 7,
        .cpu = 3,
        .time_ns = INT64_MAX,
        .period = 4,
        .weight = 4,
        .addr = UINT64_MAX,
        .addr_offset = 9,
        .addr_symbol = SLICE("pool"),
        .addr_dso = SLICE("//anon"),
        .data_src = 0x68100142,
        .mem_weight = 55,
        .phys_addr = 1ull << 63,
        .machine_pid = 2,
        .vcpu = 1,
        .brstack = SLICE("0x1/0x2/P/-"),
        .frames = frames,
        .n_frames = 3,
    };
    const struct sample_fact bare = {.weight = 0};
    const struct side_fact sides[] = {
        {.type = "switch", .switch_out = true, .preempt = true, .next_pid = 0, .next_tid = -1},
        {.type = "comm", .new_comm = SLICE("new"), .exec = true},
        {.type = "fork", .ppid = 1, .ptid = 2},
        {.type = "mmap", .maj = 8, .min = 1, .ino = 77, .pgoff = 4096, .prot = SLICE("r-xp")},
        {.type = "cgroup", .id = UINT64_MAX, .name = SLICE("/a"), .text = SLICE("rest\xfe")},
        {.type = "lost", .lost = 3},
    };
    const struct run_fact run = {"cyclictest",     NULL, 12345, RUN_ABORTED, "killed", odd,
                                 G_N_ELEMENTS(odd)};
    const double values[] = {1.0 / 3, 1e300, -0.1, 5e-324, 1e15, 9007199254740993.0, INFINITY, 0};
    assert_ok(sink_source_begin(sink, &source, &error), error);
    assert_ok(sink_wait(sink, &(struct wait_fact){.count = 1, .t = 1.25}, &error), error);
    assert_ok(sink_sample(sink, &full, &error), error);
    assert_ok(sink_sample(sink, &bare, &error), error);
    for (size_t i = 0; i < G_N_ELEMENTS(sides); i++)
        assert_ok(sink_side(sink, &sides[i], &error), error);
    assert_ok(sink_run(sink, &run, &error), error);
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        const struct metric_fact metric = {.name = "m",
                                           .value = values[i],
                                           .stddev = values[i],
                                           .provenance = PROVENANCE_CLAIMED};
        const struct series_fact point = {"s", 1e9 + values[i % 3], true, values[i]};
        assert_ok(sink_metric(sink, &metric, &error), error);
        assert_ok(sink_series(sink, &point, &error), error);
    }
    struct source_summary summary = summary_of("perf-script", "odd");
    summary.truncated = true;
    assert_ok(sink_source_end(sink, &summary, true, &error), error);
}

void fill_archive(const char *path)
{
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "one");
    feed_profile(a, "p", 900);
    feed_scan(a, "/src/pg", 2000, (const char *const[]){"aa11", "bb22", NULL});
    feed_scan(a, "/src/pg", 1000, (const char *const[]){"aa11", NULL});
    feed_odd(a);
    archive_close(a);
}

char *export_of(const char *archive, const char *to)
{
    GError *error = NULL;
    char *text;
    struct archive *a = open_ok(archive, ARCHIVE_READ);
    FILE *out = fopen(to, "w");
    g_assert_nonnull(out);
    assert_ok(archive_export(a, out, NULL, &error), error);
    g_assert_cmpint(fclose(out), ==, 0);
    archive_close(a);
    g_assert_true(g_file_get_contents(to, &text, NULL, NULL));
    return text;
}

struct archive_import_counts import_ok(const char *archive, const char *from)
{
    GError *error = NULL;
    struct archive_import_counts counts;
    struct archive *a = open_ok(archive, ARCHIVE_WRITE);
    assert_ok(archive_import(a, from, &counts, &error), error);
    g_autoptr(GPtrArray) problems = archive_verify(a, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(problems->len, ==, 0);
    archive_close(a);
    return counts;
}

void assert_same(const char *a, const char *b)
{
    g_auto(GStrv) x = g_strsplit(a, "\n", -1);
    g_auto(GStrv) y = g_strsplit(b, "\n", -1);
    for (guint i = 0; x[i] && y[i]; i++)
        g_assert_cmpstr(x[i], ==, y[i]);
    g_assert_cmpuint(g_strv_length(x), ==, g_strv_length(y));
}

void assert_counts(struct archive_import_counts c, unsigned stored_sources, unsigned known_sources,
                   unsigned stored_scans, unsigned known_scans)
{
    g_assert_cmpuint(c.stored_sources, ==, stored_sources);
    g_assert_cmpuint(c.known_sources, ==, known_sources);
    g_assert_cmpuint(c.stored_scans, ==, stored_scans);
    g_assert_cmpuint(c.known_scans, ==, known_scans);
}
