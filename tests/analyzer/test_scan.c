// The driver: order, threads, failing sinks, and what it says about bad options.
#include <string.h>

#include "scratch.h"
#include "spinfault/analyzer.h"

struct record {
    GString *text;
    unsigned begun, ended, sections;
    bool ok;
    unsigned fail_at; // section that the sink refuses; 0: none
};

static bool on_begin(void *context, const struct scan_fact *scan, GError **error)
{
    (void)error;
    struct record *record = context;
    g_assert_true(g_path_is_absolute(scan->root));
    record->begun++;
    return true;
}

static bool on_section(void *context, const struct section_fact *section, GError **error)
{
    struct record *record = context;
    if (++record->sections == record->fail_at)
        return error_set(error, SPINFAULT_ERROR_IO, "the sink is full");
    g_string_append_printf(record->text, "section %s:%u %s %s\n%s\n", section->file,
                           section->acquire_line, section->function, section->lock,
                           section->excerpt);
    return true;
}

static bool on_finding(void *context, const struct finding_fact *finding, GError **error)
{
    (void)error;
    struct record *record = context;
    g_string_append_printf(record->text, "finding %s:%u %s %s %s\n", finding->file, finding->line,
                           finding->rule, finding->object, finding->fingerprint);
    for (size_t i = 0; i < finding->n_path; i++)
        g_string_append_printf(record->text, "  %u %s\n", finding->path[i].line,
                               finding->path[i].what);
    return true;
}

static bool on_end(void *context, const struct scan_summary *summary, bool ok, GError **error)
{
    (void)error;
    (void)summary;
    struct record *record = context;
    record->ended++;
    record->ok = ok;
    return true;
}

static const char SOURCE[] = "typedef unsigned char slock_t;\n"
                             "void SpinLockAcquire(volatile slock_t *lock);\n"
                             "void SpinLockRelease(volatile slock_t *lock);\n"
                             "struct pool { slock_t guard; int first; };\n"
                             "extern struct pool *pool;\n"
                             "extern struct { int next; char data[60]; } *slots;\n"
                             "int take%d(void)\n"
                             "{\n"
                             "    SpinLockAcquire(&pool->guard);\n"
                             "    int i = pool->first;\n"
                             "    pool->first = slots[i].next;\n"
                             "    SpinLockRelease(&pool->guard);\n"
                             "    return i;\n"
                             "}\n";

enum { N_FILES = 9 };

static char *make_tree(void)
{
    char *dir = scratch_new();
    for (int i = 0; i < N_FILES; i++) {
        g_autofree char *name = g_strdup_printf("f%02d.c", (i * 7) % N_FILES);
        g_autofree char *function = g_strdup_printf("take%d", i);
        g_autoptr(GString) source = g_string_new(SOURCE);
        g_string_replace(source, "take%d", function, 1);
        g_free(scratch_write(dir, name, source->str));
    }
    return dir;
}

static bool run(const char *dir, unsigned jobs, struct record *record, struct scan_summary *summary,
                GError **error)
{
    const char *paths[] = {dir, NULL};
    const char *args[] = {NULL};
    const struct scan_options options = {.paths = paths, .clang_args = args, .jobs = jobs};
    const struct fact_sink sink = {.context = record,
                                   .scan_begin = on_begin,
                                   .section = on_section,
                                   .finding = on_finding,
                                   .scan_end = on_end};
    record->text = g_string_new(NULL);
    return scan_run(&options, &sink, summary, error);
}

static void record_clear(struct record *record)
{
    g_string_free(record->text, TRUE);
}

static void test_same_with_any_jobs(void)
{
    char *dir = make_tree();
    struct record one = {NULL}, four = {NULL};
    struct scan_summary summary;
    g_autoptr(GError) error = NULL;
    g_assert_true(run(dir, 1, &one, &summary, &error));
    g_assert_no_error(error);
    g_assert_cmpuint(summary.sections, ==, N_FILES);
    g_assert_cmpuint(summary.parsed, ==, N_FILES);
    g_assert_cmpuint(summary.findings[SEVERITY_HIGH], ==, N_FILES);
    g_assert_true(run(dir, 4, &four, &summary, &error));
    g_assert_cmpstr(one.text->str, ==, four.text->str);
    g_assert_nonnull(strstr(one.text->str, "section f00.c:9 "));
    g_assert_nonnull(strstr(one.text->str, "int take0(void)\n{\n    SpinLockAcquire"));
    g_assert_true(one.begun == 1 && one.ended == 1 && one.ok);
    record_clear(&one);
    record_clear(&four);
    scratch_free(dir);
}

static void test_sink_fails(void)
{
    char *dir = make_tree();
    struct record record = {.fail_at = 3};
    struct scan_summary summary;
    g_autoptr(GError) error = NULL;
    g_assert_false(run(dir, 2, &record, &summary, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_IO);
    g_assert_cmpuint(record.sections, ==, 3);
    g_assert_true(record.ended == 1 && !record.ok);
    record_clear(&record);
    scratch_free(dir);
}

static void test_bad_options(void)
{
    static const char *const bad[] = {"N", "=3", "N=", "N=many", "N=-1"};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        const char *assumptions[] = {bad[i], NULL};
        const struct scan_options options = {.assumptions = assumptions};
        const struct fact_sink sink = {NULL};
        struct scan_summary summary;
        g_autoptr(GError) error = NULL;
        g_assert_false(scan_run(&options, &sink, &summary, &error));
        g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_USAGE);
        g_assert_nonnull(strstr(error->message, bad[i]));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/scan/same-with-any-jobs", test_same_with_any_jobs);
    g_test_add_func("/scan/sink-fails", test_sink_fails);
    g_test_add_func("/scan/bad-options", test_bad_options);
    return g_test_run();
}
