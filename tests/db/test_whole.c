// All of a source or nothing of it: duplicates, failures, crashes, limits.
#include "support.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// A digest over everything that is stored, so that "as it was" can be said.
static char *state_of(const char *path)
{
    g_autofree char *command = g_strdup_printf(
        "SELECT (SELECT count(*) FROM source) * 1000003 + (SELECT count(*) FROM run) * 10007 + "
        "(SELECT count(*) FROM sample) * 101 + (SELECT count(*) FROM string) * 17 + "
        "(SELECT count(*) FROM frame) + (SELECT count(*) FROM scan) * 7919 + "
        "(SELECT count(*) FROM stack_block) * 31 + (SELECT count(*) FROM side_record) * 37");
    return g_strdup_printf("%" G_GINT64_FORMAT, number_in(path, command));
}

static void duplicate(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_profile(a, "p", 70);
    g_autofree char *before = state_of(path);
    const struct fact_sink *sink = archive_sink(a);
    const struct source_fact source = {.path = "copy.txt", .format = "perf-script"};
    // Once so small that nothing was written yet, once with facts that were.
    for (int pass = 0; pass < 2; pass++) {
        assert_ok(sink_source_begin(sink, &source, &error), error);
        feed_sample(sink, "new-event", 9, 1, (const char *const[]){"new", "main", NULL});
        if (pass) {
            const struct side_fact lost = {.type = "lost", .lost = 1};
            assert_ok(sink_side(sink, &lost, &error), error);
        }
        const struct source_summary summary = summary_of("perf-script", "p");
        g_assert_false(sink_source_end(sink, &summary, true, &error));
        g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DUPLICATE);
        g_assert_nonnull(strstr(error->message, "copy.txt"));
        g_assert_nonnull(strstr(error->message, "lazy.perf.txt"));
        g_clear_error(&error);
        g_autofree char *after = state_of(path);
        g_assert_cmpstr(before, ==, after);
    }
    // The sink goes on working.
    feed_runs(a, "other");
    feed_profile(a, "p2", 7);
    archive_close(a);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM source"), ==, 3);
    folder_free(folder);
}

static void duplicate_scan(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_scan(a, "/src/pg", 1000, (const char *const[]){"aa", NULL});
    g_autofree char *before = state_of(path);
    const struct fact_sink *sink = archive_sink(a);
    const struct scan_fact scan = {"/src/pg", "0.1.0", NULL, 1000};
    const struct scan_summary summary = {.files = 1};
    assert_ok(sink_scan_begin(sink, &scan, &error), error);
    g_assert_false(sink_scan_end(sink, &summary, true, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DUPLICATE);
    g_clear_error(&error);
    g_autofree char *after = state_of(path);
    g_assert_cmpstr(before, ==, after);
    feed_scan(a, "/src/other", 1000, (const char *const[]){"aa", NULL});
    archive_close(a);
    folder_free(folder);
}

static void failure(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "one");
    g_autofree char *before = state_of(path);
    const struct fact_sink *sink = archive_sink(a);
    const struct source_fact source = {.path = "bad.txt", .format = "csv"};
    const struct run_fact run = {.benchmark = "fresh", .started_ns = INT64_MIN};
    assert_ok(sink_source_begin(sink, &source, &error), error);
    assert_ok(sink_run(sink, &run, &error), error);
    assert_ok(sink_source_end(sink, NULL, false, &error), error);
    g_autofree char *after = state_of(path);
    g_assert_cmpstr(before, ==, after);

    const struct scan_fact scan = {"/x", "0", NULL, 5};
    assert_ok(sink_scan_begin(sink, &scan, &error), error);
    assert_ok(sink_file(sink, &(struct file_fact){"a.c", FILE_FAILED, NULL}, &error), error);
    assert_ok(sink_scan_end(sink, NULL, false, &error), error);
    archive_close(a);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM scan"), ==, 0);

    // Closed in the middle.
    a = open_ok(path, ARCHIVE_WRITE);
    sink = archive_sink(a);
    assert_ok(sink_source_begin(sink, &source, &error), error);
    assert_ok(sink_run(sink, &run, &error), error);
    archive_close(a);
    g_free(after);
    after = state_of(path);
    g_assert_cmpstr(before, ==, after);
    folder_free(folder);
}

// A fact that the schema refuses is an error with the file's name, and nothing is kept.
static void refused_fact(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    const struct fact_sink *sink = archive_sink(a);
    const struct source_fact source = {.path = "odd.csv", .format = "csv"};
    const struct metric_fact metric = {.name = "tps", .value = 1, .stddev = NAN};
    assert_ok(sink_source_begin(sink, &source, &error), error);
    g_assert_false(sink_metric(sink, &metric, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED);
    g_assert_nonnull(strstr(error->message, "odd.csv"));
    g_clear_error(&error);
    assert_ok(sink_source_end(sink, NULL, false, &error), error);

    const struct environment_fact bad = {"host", "x", "k", "v", NULL, "during"};
    assert_ok(sink_source_begin(sink, &source, &error), error);
    g_assert_false(sink_environment(sink, &bad, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED);
    g_clear_error(&error);
    assert_ok(sink_source_end(sink, NULL, false, &error), error);

    const struct sample_fact heavy = {.weight = UINT64_MAX, .line = 4};
    assert_ok(sink_source_begin(sink, &source, &error), error);
    g_assert_false(sink_sample(sink, &heavy, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_LIMIT);
    g_assert_nonnull(strstr(error->message, "odd.csv:4"));
    g_clear_error(&error);
    assert_ok(sink_source_end(sink, NULL, false, &error), error);
    archive_close(a);
    folder_free(folder);
}

// A child dies at `step` of a source; what was committed is whole, the rest is gone, and the same
// file can be stored again.
static void die_at(const char *path, unsigned step)
{
    pid_t child = fork();
    g_assert_cmpint(child, >=, 0);
    if (child == 0) {
        GError *error = NULL;
        struct archive *a = archive_open(path, ARCHIVE_WRITE, &error);
        const struct fact_sink *sink = archive_sink(a);
        const struct source_fact source = {.path = "dying.txt", .format = "perf-script"};
        const struct run_fact run = {.benchmark = "dying", .started_ns = INT64_MIN};
        const struct source_summary summary = summary_of("perf-script", "dying");
        if (!sink_source_begin(sink, &source, &error))
            _exit(9);
        for (unsigned i = 0; i < 70000; i++) {
            if (i == step)
                _exit(7);
            if (i % 20000 == 0 && !sink_run(sink, &run, &error))
                _exit(9);
            feed_sample(sink, "cycles", i, 1, (const char *const[]){"dies", "main", NULL});
        }
        sink_source_end(sink, &summary, true, &error);
        _exit(8);
    }
    int status;
    g_assert_cmpint(waitpid(child, &status, 0), ==, child);
    g_assert_true(WIFEXITED(status));
    g_assert_cmpint(WEXITSTATUS(status), ==, step < 70000 ? 7 : 8);
}

static void crash(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_profile(a, "p", 70);
    archive_close(a);
    g_autofree char *before = state_of(path);
    static const unsigned steps[] = {0, 1, 20001, 65536, 69999};
    for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
        die_at(path, steps[i]);
        g_autofree char *after = state_of(path);
        g_assert_cmpstr(before, ==, after);
        g_assert_cmpint(number_in(path, "SELECT count(*) FROM pragma_integrity_check WHERE "
                                        "integrity_check <> 'ok'"),
                        ==, 0);
    }
    die_at(path, 70000);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM source"), ==, 2);
    g_assert_cmpint(number_in(path, "SELECT samples FROM profile WHERE id = 3"), ==, 70000);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM pragma_foreign_key_check"), ==, 0);
    folder_free(folder);
}

// A limit on the size of files stands for a full disk: in a child, since it can't be lifted again.
static void no_space(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "one");
    archive_close(a);
    g_autofree char *before = state_of(path);
    pid_t child = fork();
    g_assert_cmpint(child, >=, 0);
    if (child == 0) {
        GError *error = NULL;
        signal(SIGXFSZ, SIG_IGN);
        a = archive_open(path, ARCHIVE_WRITE, &error);
        const struct fact_sink *sink = archive_sink(a);
        const struct source_fact source = {.path = "big.txt", .format = "perf-script"};
        const struct source_summary summary = summary_of("perf-script", "big");
        const struct rlimit limit = {400000, 400000};
        if (!sink_source_begin(sink, &source, &error) || setrlimit(RLIMIT_FSIZE, &limit) != 0)
            _exit(9);
        for (int i = 0; i < 30000; i++)
            feed_sample(sink, "cycles", i, 1, (const char *const[]){"a", "main", NULL});
        bool kept = sink_source_end(sink, &summary, true, &error);
        bool said = error && error->code == SPINFAULT_ERROR_IO && strstr(error->message, path);
        archive_close(a);
        _exit(kept ? 1 : said ? 7 : 2);
    }
    int status;
    g_assert_cmpint(waitpid(child, &status, 0), ==, child);
    g_assert_true(WIFEXITED(status));
    g_assert_cmpint(WEXITSTATUS(status), ==, 7);
    g_autofree char *after = state_of(path);
    g_assert_cmpstr(before, ==, after);
    folder_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/whole/duplicate", duplicate);
    g_test_add_func("/db/whole/duplicate-scan", duplicate_scan);
    g_test_add_func("/db/whole/failure", failure);
    g_test_add_func("/db/whole/refused-fact", refused_fact);
    g_test_add_func("/db/whole/crash", crash);
    g_test_add_func("/db/whole/no-space", no_space);
    return g_test_run();
}
