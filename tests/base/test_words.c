// Words for values: names of enumerations, page sizes, preemption modes; and errors.
#include <errno.h>
#include <glib.h>

#include "spinfault/base.h"

// Every name reads back as the value it came from, and nothing else does.
#define ROUND_TRIP(type, function, last)                                                           \
    do {                                                                                           \
        enum type back;                                                                            \
        for (int v = 0; v <= (int)(last); v++) {                                                   \
            g_assert_true(function##_parse(function##_name((enum type)v), &back));                 \
            g_assert_cmpint((int)back, ==, v);                                                     \
        }                                                                                          \
        g_assert_false(function##_parse("no such word", &back));                                   \
        g_assert_false(function##_parse("", &back));                                               \
        g_assert_false(function##_parse(NULL, &back));                                             \
    } while (0)

static void test_enumerations(void)
{
    ROUND_TRIP(severity, severity, SEVERITY_HIGH);
    ROUND_TRIP(confidence, confidence, CONFIDENCE_HIGH);
    ROUND_TRIP(lock_scope, lock_scope, SCOPE_INSTANCE);
    ROUND_TRIP(lock_mode, lock_mode, MODE_TRY);
    ROUND_TRIP(residency, residency, RESIDENCY_MAY_FAULT);
    ROUND_TRIP(fault_why, fault_why, WHY_GLOBAL);
    ROUND_TRIP(call_effect, call_effect, EFFECT_NO_RETURN);
    ROUND_TRIP(file_status, file_status, FILE_SKIPPED);
    ROUND_TRIP(run_status, run_status, RUN_ABORTED);
    ROUND_TRIP(better, better, BETTER_LOWER);
    ROUND_TRIP(provenance, provenance, PROVENANCE_CLAIMED);
}

static void test_pages(void)
{
    static const struct {
        const char *text, *name;
        uint64_t bytes;
    } good[] = {{"4k", "4K", 4096},       {"4 kB", "4K", 4096},  {"4096", "4K", 4096},
                {"base", "4K", 4096},     {"THP", "THP", 0},     {"2MiB", "2M", 2u << 20},
                {"1 GB", "1G", 1u << 30}, {"16K", "16K", 16384}, {"64kB", "64K", 65536}};
    static const char *const bad[] = {"", "huge", "3M", "4", "4G"};
    char name[8] = "kept";
    uint64_t bytes;
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
        g_assert_false(page_parse(bad[i], name, &bytes));
    g_assert_cmpstr(name, ==, "kept");
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
        g_assert_true(page_parse(good[i].text, name, &bytes));
        g_assert_cmpstr(name, ==, good[i].name);
        g_assert_cmpuint(bytes, ==, good[i].bytes);
    }
    g_assert_true(page_parse("2M", name, NULL));
}

static void test_preempt_modes(void)
{
    static const struct {
        const char *text, *mode;
    } cases[] = {{"PREEMPT_LAZY", "lazy"},  {"CONFIG_PREEMPT_NONE", "none"},
                 {"lazy", "lazy"},          {" Full ", "full"},
                 {"PREEMPT(lazy)", "lazy"}, {"PREEMPT", "full"},
                 {"PREEMPT_RT", "rt"},      {"voluntary", "voluntary"},
                 {"PREEMPT_DYNAMIC", NULL}, {"", NULL},
                 {"nonesuch", NULL}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        g_assert_cmpstr(preempt_parse(cases[i].text), ==, cases[i].mode);
}

static void test_errors(void)
{
    g_autoptr(GError) error = NULL;
    g_assert_false(error_from_errno(&error, ENOENT, "open", "x.db"));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_NOT_FOUND);
    g_assert_cmpstr(error->message, ==, "cannot open x.db: No such file or directory");
    g_clear_error(&error);
    g_assert_false(error_from_errno(&error, EACCES, "open", "x.db"));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_IO);
    g_clear_error(&error);
    g_assert_false(error_set(&error, SPINFAULT_ERROR_LIMIT, "more than %d", 5));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_LIMIT);
    g_assert_cmpstr(error->message, ==, "more than 5");
    g_assert_false(error_set(NULL, SPINFAULT_ERROR_LIMIT, "nobody listens"));
}

static bool refuse_sample(void *context, const struct sample_fact *fact, GError **error)
{
    (void)fact;
    ++*(int *)context;
    return error_set(error, SPINFAULT_ERROR_IO, "full");
}

static void test_sink_ignores_what_it_lacks(void)
{
    int calls = 0;
    struct fact_sink sink = {.context = &calls, .sample = refuse_sample};
    struct sample_fact sample = {0};
    struct run_fact run = {0};
    struct source_summary summary = {0};
    g_autoptr(GError) error = NULL;
    g_assert_true(sink_run(&sink, &run, &error));
    g_assert_true(sink_source_end(&sink, &summary, true, &error));
    g_assert_no_error(error);
    g_assert_false(sink_sample(&sink, &sample, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_IO);
    g_assert_cmpint(calls, ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/words/enumerations", test_enumerations);
    g_test_add_func("/words/pages", test_pages);
    g_test_add_func("/words/preempt-modes", test_preempt_modes);
    g_test_add_func("/error/messages", test_errors);
    g_test_add_func("/sink/ignores-what-it-lacks", test_sink_ignores_what_it_lacks);
    return g_test_run();
}
