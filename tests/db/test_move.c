// Export and import: exact, repeatable, whole or not at all.
#include "support.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <sqlite3.h>
#include <unistd.h>

// Everything there is, with what is hard to write down.
static void fill(const char *path)
{
    GError *error = NULL;
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    const struct fact_sink *sink = archive_sink(a);
    feed_runs(a, "one");
    feed_profile(a, "p", 900);
    feed_scan(a, "/src/pg", 2000, (const char *const[]){"aa11", "bb22", NULL});
    feed_scan(a, "/src/pg", 1000, (const char *const[]){"aa11", NULL});

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
    archive_close(a);
}

static char *export_of(const char *archive, const char *to)
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

static struct archive_import_counts import_ok(const char *archive, const char *from)
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

// A line of the two that differs, so that a failure tells more than "not equal".
static void assert_same(const char *a, const char *b)
{
    g_auto(GStrv) x = g_strsplit(a, "\n", -1);
    g_auto(GStrv) y = g_strsplit(b, "\n", -1);
    for (guint i = 0; x[i] && y[i]; i++)
        g_assert_cmpstr(x[i], ==, y[i]);
    g_assert_cmpuint(g_strv_length(x), ==, g_strv_length(y));
}

static void assert_counts(struct archive_import_counts c, unsigned stored_sources,
                          unsigned known_sources, unsigned stored_scans, unsigned known_scans)
{
    g_assert_cmpuint(c.stored_sources, ==, stored_sources);
    g_assert_cmpuint(c.known_sources, ==, known_sources);
    g_assert_cmpuint(c.stored_scans, ==, stored_scans);
    g_assert_cmpuint(c.known_scans, ==, known_scans);
}

static void round_trip(void)
{
    char *folder = folder_new();
    g_autofree char *first = in_folder(folder, "first.db");
    g_autofree char *second = in_folder(folder, "second.db");
    g_autofree char *third = in_folder(folder, "third.db");
    g_autofree char *lines = in_folder(folder, "lines.jsonl");
    g_autofree char *again = in_folder(folder, "again.jsonl");
    fill(first);
    g_autofree char *before = export_of(first, lines);
    assert_counts(import_ok(second, lines), 3, 0, 2, 0);
    g_autofree char *after = export_of(second, again);
    assert_same(before, after);
    // A second time nothing changes, from lines or from an archive.
    assert_counts(import_ok(second, lines), 0, 3, 0, 2);
    assert_counts(import_ok(second, first), 0, 3, 0, 2);
    g_free(after);
    after = export_of(second, again);
    assert_same(before, after);
    // From archive to archive.
    assert_counts(import_ok(third, first), 3, 0, 2, 0);
    g_free(after);
    after = export_of(third, again);
    assert_same(before, after);
    folder_free(folder);
}

// The tables themselves are the same, not only what is exported of them.
static void same_tables(void)
{
    static const char *const tables[] = {
        "source", "source_tag",   "skipped",     "run",          "run_tag",     "metric",
        "series", "series_point", "wait_sample", "environment",  "profile",     "thread",
        "frame",  "stack_block",  "sample",      "sample_extra", "side_record", "profile_function",
    };
    char *folder = folder_new();
    g_autofree char *first = in_folder(folder, "first.db");
    g_autofree char *second = in_folder(folder, "second.db");
    g_autofree char *third = in_folder(folder, "third.db");
    fill(first);
    // Twice through, so that texts have come in the same order and have the same numbers.
    assert_counts(import_ok(second, first), 3, 0, 2, 0);
    assert_counts(import_ok(third, second), 3, 0, 2, 0);
    sqlite3 *db;
    g_assert_cmpint(sqlite3_open(second, &db), ==, SQLITE_OK);
    g_autofree char *attach = g_strdup_printf("ATTACH '%s' AS other", third);
    g_assert_cmpint(sqlite3_exec(db, attach, NULL, NULL, NULL), ==, SQLITE_OK);
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
        g_autofree char *sql = g_strdup_printf(
            "SELECT (SELECT count(*) FROM main.%1$s), (SELECT count(*) FROM (SELECT * FROM main."
            "%1$s EXCEPT SELECT * FROM other.%1$s UNION ALL SELECT * FROM (SELECT * FROM other."
            "%1$s EXCEPT SELECT * FROM main.%1$s)))",
            tables[i]);
        sqlite3_stmt *statement;
        g_assert_cmpint(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), ==, SQLITE_OK);
        g_assert_cmpint(sqlite3_step(statement), ==, SQLITE_ROW);
        if (sqlite3_column_int(statement, 0) == 0 || sqlite3_column_int(statement, 1) != 0)
            g_error("%s: %d rows, %d differ", tables[i], sqlite3_column_int(statement, 0),
                    sqlite3_column_int(statement, 1));
        sqlite3_finalize(statement);
    }
    sqlite3_close(db);
    folder_free(folder);
}

static void merge(void)
{
    char *folder = folder_new();
    g_autofree char *one = in_folder(folder, "one.db");
    g_autofree char *two = in_folder(folder, "two.db");
    g_autofree char *all = in_folder(folder, "all.db");
    struct archive *a = open_ok(one, ARCHIVE_WRITE);
    feed_runs(a, "shared");
    feed_runs(a, "only one");
    archive_close(a);
    a = open_ok(two, ARCHIVE_WRITE);
    feed_profile(a, "only two", 50);
    feed_runs(a, "shared");
    feed_scan(a, "/t", 5, (const char *const[]){"x", NULL});
    archive_close(a);
    assert_counts(import_ok(all, one), 2, 0, 0, 0);
    assert_counts(import_ok(all, two), 1, 1, 1, 0);
    assert_counts(import_ok(all, one), 0, 2, 0, 0);
    g_assert_cmpint(number_in(all, "SELECT count(*) FROM run"), ==, 6);
    // The time of the first ingest is kept.
    g_assert_cmpint(number_in(all, "SELECT ingested_ns FROM source WHERE id = 1"), ==,
                    number_in(one, "SELECT ingested_ns FROM source WHERE id = 1"));
    folder_free(folder);
}

static void refuse(const char *archive, const char *from, const char *text, int code,
                   const char *words)
{
    GError *error = NULL;
    struct archive_import_counts counts;
    if (text)
        g_assert_true(g_file_set_contents(from, text, -1, NULL));
    struct archive *a = open_ok(archive, ARCHIVE_WRITE);
    g_assert_false(archive_import(a, from, &counts, &error));
    g_assert_error(error, SPINFAULT_ERROR, code);
    if (!strstr(error->message, words))
        g_error("'%s' does not say '%s'", error->message, words);
    g_clear_error(&error);
    archive_close(a);
}

static void bad_lines(void)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", ":0: nothing"},
        {"hello\n", ":1: "},
        {"{\"type\":\"run\"}\n", ":1: not a line"},
        {"{\"type\":\"archive\",\"format\":1}\n", "the end is missing"},
        {"{\"type\":\"archive\",\"format\":1}\n{\"type\":\"run\"}\n", ":2: a line out of place"},
        {"{\"type\":\"archive\",\"format\":1}\n{\"type\":\"dream\"}\n", ":2: a line of an unknown"},
        {"{\"type\":\"archive\",\"format\":1}\n{\"type\":\"source\"}\n", ":2: a source without"},
        {"{\"type\":\"archive\",\"format\":1}\n"
         "{\"type\":\"source\",\"path\":\"x\",\"format\":\"y\"}\n"
         "{\"type\":\"sample\",\"event\":1,\"thread\":1,\"node\":0}\n",
         ":3: a sample of an event"},
        {"{\"type\":\"archive\",\"format\":1}\n"
         "{\"type\":\"source\",\"path\":\"x\",\"format\":\"y\"}\n"
         "{\"type\":\"node\",\"parent\":3,\"frame\":1}\n",
         ":3: a stack of a frame"},
        {"{\"type\":\"archive\",\"format\":1}\n"
         "{\"type\":\"source\",\"path\":\"x\",\"format\":\"y\"}\n"
         "{\"type\":\"run\",\"benchmark\":\"b\",\"status\":\"fine\"}\n",
         ":3: a run without a status"},
        {"{\"type\":\"archive\",\"format\":1}\n"
         "{\"type\":\"source\",\"path\":\"x\",\"format\":\"y\"}\n"
         "{\"type\":\"run\",\"benchmark\":\"b\",\"status\":\"complete\"}\n",
         "the end is missing"},
    };
    char *folder = folder_new();
    g_autofree char *archive = in_folder(folder, "a.db");
    g_autofree char *lines = in_folder(folder, "x.jsonl");
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        refuse(archive, lines, cases[i].text, SPINFAULT_ERROR_DAMAGED, cases[i].words);
    refuse(archive, lines, "{\"type\":\"archive\",\"format\":2}\n", SPINFAULT_ERROR_NEWER, "newer");
    g_autofree char *endless = g_strnfill(LIMIT_LINE_BYTES + 1, 'x');
    refuse(archive, lines, endless, SPINFAULT_ERROR_LIMIT, "LIMIT_LINE_BYTES");
    refuse(archive, "/no/such/file", NULL, SPINFAULT_ERROR_NOT_FOUND, "/no/such/file");
    refuse(archive, folder, NULL, SPINFAULT_ERROR_IO, folder);
    // Itself.
    struct archive *a = open_ok(archive, ARCHIVE_WRITE);
    feed_runs(a, "one");
    archive_close(a);
    assert_counts(import_ok(archive, archive), 0, 1, 0, 0);
    g_assert_cmpint(number_in(archive, "SELECT count(*) FROM source"), ==, 1);
    folder_free(folder);
}

// An export cut anywhere: sources before the cut are whole, the one it is in is absent.
static void cut(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *first = in_folder(folder, "first.db");
    g_autofree char *second = in_folder(folder, "second.db");
    g_autofree char *lines = in_folder(folder, "lines.jsonl");
    fill(first);
    g_autofree char *text = export_of(first, lines);
    size_t len = strlen(text);
    for (int i = 0; i < 40; i++) {
        gint32 at = g_test_rand_int_range(0, (gint32)len - 1);
        g_assert_true(g_file_set_contents(lines, text, at, NULL));
        struct archive_import_counts counts;
        struct archive *a = open_ok(second, ARCHIVE_WRITE);
        g_assert_false(archive_import(a, lines, &counts, &error));
        g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED);
        g_clear_error(&error);
        g_autoptr(GPtrArray) problems = archive_verify(a, &error);
        g_assert_no_error(error);
        g_assert_cmpuint(problems->len, ==, 0);
        archive_close(a);
        g_unlink(second);
    }
    folder_free(folder);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
    g_assert_cmpint(sqlite3_exec(db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
    sqlite3_close(db);
}

// What can be saved of a damaged archive is saved, and what can't is named.
static void salvage(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    g_autofree char *saved = in_folder(folder, "saved.db");
    g_autofree char *lines = in_folder(folder, "lines.jsonl");
    fill(path);
    run_sql(path, "UPDATE stack_block SET data = x'01' WHERE source_id = 2;"
                  "PRAGMA ignore_check_constraints = ON;"
                  "UPDATE section SET scope = 'odd' WHERE scan_id = 1");
    struct archive *a = open_ok(path, ARCHIVE_READ);
    FILE *out = fopen(lines, "w");
    g_assert_nonnull(out);
    g_assert_false(archive_export(a, out, NULL, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED);
    g_clear_error(&error);
    fclose(out);
    out = fopen(lines, "w");
    g_assert_nonnull(out);
    g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);
    assert_ok(archive_export(a, out, left_out, &error), error);
    fclose(out);
    archive_close(a);
    g_assert_cmpuint(left_out->len, ==, 2);
    g_assert_true(g_str_has_prefix(left_out->pdata[0], "source 2: "));
    g_assert_true(g_str_has_prefix(left_out->pdata[1], "scan 1: "));
    assert_counts(import_ok(saved, lines), 2, 0, 1, 0);
    folder_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/move/round-trip", round_trip);
    g_test_add_func("/db/move/same-tables", same_tables);
    g_test_add_func("/db/move/merge", merge);
    g_test_add_func("/db/move/bad-lines", bad_lines);
    g_test_add_func("/db/move/cut", cut);
    g_test_add_func("/db/move/salvage", salvage);
    return g_test_run();
}
