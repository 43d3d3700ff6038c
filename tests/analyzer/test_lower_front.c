// The front end as flow analysis asks it: what is lowered of a file, and where names are found.
#include <string.h>

#include "front.h"
#include "scratch.h"

static struct model_set *models;

static struct front *front_of(const char *dir)
{
    g_autoptr(GError) error = NULL;
    const char *paths[] = {dir, NULL};
    // Lent to the front, so they must outlive it: a test has one front at a time.
    static struct scan_options options;
    options = (struct scan_options){.paths = paths, .jobs = 2};
    struct front *front = front_new(&options, models, &error);
    g_assert_no_error(error);
    options.paths = NULL;
    return front;
}

static char *function_names(const struct ir_unit *unit)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < unit->functions->len; i++) {
        const struct ir_function *function = unit->functions->pdata[i];
        g_string_append_printf(out, "%s%s%s", i ? " " : "", function->name,
                               function->from_header ? "(header)" : "");
    }
    return g_string_free(out, FALSE);
}

static void check_lowered(const struct front *front, unsigned file,
                          const struct front_wanted *wanted, const char *expected)
{
    struct ir_unit *unit = front_lower(front, file, wanted);
    g_autofree char *names = function_names(unit);
    g_assert_cmpstr(names, ==, expected);
    ir_unit_free(unit);
}

static void write_tree(const char *dir)
{
    g_free(scratch_write(dir, "pool.h",
                         "#include <pthread.h>\n"
                         "extern pthread_spinlock_t lock;\nextern int total;\n"
                         "int count(void);\n"
                         "static inline int twice(int x) { return x + x; }\n"
                         "static inline int unused(int x) { return x; }\n"));
    g_free(scratch_write(dir, "a.c",
                         "#include \"pool.h\"\n"
                         "static int helper(int x) { return twice(x); }\n"
                         "void take(void) { pthread_spin_lock(&lock); total = helper(count()); }\n"
                         "int other(void) { return 1; }\n"
                         "int third(void) { return other(); }\n"));
    g_free(scratch_write(dir, "b.c",
                         "#include \"pool.h\"\npthread_spinlock_t lock; int total = 3;\n"
                         "int count(void) { return 2; }\nstatic int other(void) { return 0; }\n"
                         "int (*pointer)(void) = other;\n"));
}

static void test_wanted(void)
{
    char *dir = scratch_new();
    write_tree(dir);
    struct front *front = front_of(dir);
    g_assert_cmpuint(front_n_files(front), ==, 2);
    g_assert_cmpstr(front_file_name(front, 0), ==, "a.c");
    g_assert_true(front_file_selected(front, 0));
    // Everything of the file, and what it reaches of headers.
    check_lowered(front, 0, NULL, "helper take other third twice(header)");
    // What may take a lock, and what that reaches.
    struct front_wanted locks = {0};
    check_lowered(front, 0, &locks, "helper take twice(header)");
    const char *names[] = {"third", NULL};
    struct front_wanted one = {.functions = names};
    check_lowered(front, 0, &one, "helper take other third twice(header)");
    // A file that takes none: only what is asked for.
    const char *count[] = {"count", NULL};
    struct front_wanted callee = {.functions = count};
    check_lowered(front, 1, &callee, "count");
    front_free(front);
    scratch_free(dir);
}

static void test_finding(void)
{
    char *dir = scratch_new();
    write_tree(dir);
    struct front *front = front_of(dir);
    size_t n;
    const unsigned *candidates = front_candidates(front, &n);
    g_assert_cmpuint(n, ==, 1);
    g_assert_cmpuint(candidates[0], ==, 0);
    g_assert_cmpint(front_find_definition(front, "count"), ==, 1);
    g_assert_cmpint(front_find_definition(front, "other"), ==, 0);
    g_assert_cmpint(front_find_definition(front, "helper"), ==, -1);
    g_assert_cmpint(front_find_definition(front, "nobody"), ==, -1);
    g_assert_cmpint(front_find_global(front, "total"), ==, 1);
    g_assert_cmpint(front_find_global(front, "pointer"), ==, 1);
    g_autofree unsigned *mentions = front_mentions(front, "other", &n);
    g_assert_cmpuint(n, ==, 2);
    g_assert_cmpuint(mentions[0], ==, 0);
    g_assert_cmpuint(mentions[1], ==, 1);
    front_free(front);
    scratch_free(dir);
}

// A file that is gone fails alone; the others are what they were.
static void test_vanished(void)
{
    char *dir = scratch_new();
    write_tree(dir);
    struct front *front = front_of(dir);
    g_autofree char *path = g_build_filename(dir, "a.c", NULL);
    g_unlink(path);
    struct ir_unit *unit = front_lower(front, 0, NULL);
    g_assert_cmpint(unit->status, ==, FILE_FAILED);
    g_assert_cmpstr(unit->why, ==, "a.c: no such file");
    ir_unit_free(unit);
    check_lowered(front, 1, NULL, "count other");
    front_free(front);
    scratch_free(dir);
}

static gpointer lower_text(gpointer data)
{
    struct ir_unit *unit = front_lower(data, 0, NULL);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < unit->functions->len; i++) {
        g_autofree char *function = ir_function_text(unit->functions->pdata[i]);
        g_string_append(text, function);
    }
    ir_unit_free(unit);
    return g_string_free(text, FALSE);
}

static void test_in_parallel(void)
{
    char *dir = scratch_new();
    write_tree(dir);
    struct front *front = front_of(dir);
    GThread *threads[4];
    g_autofree char *expected = lower_text(front);
    g_assert_nonnull(strstr(expected, "acquire pthread_spin_lock &lock"));
    for (size_t i = 0; i < G_N_ELEMENTS(threads); i++)
        threads[i] = g_thread_new("lower", lower_text, front);
    for (size_t i = 0; i < G_N_ELEMENTS(threads); i++) {
        g_autofree char *text = g_thread_join(threads[i]);
        g_assert_cmpstr(text, ==, expected);
    }
    front_free(front);
    scratch_free(dir);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autoptr(GError) error = NULL;
    models = model_set_load(NULL, &error);
    g_assert_no_error(error);
    g_test_add_func("/front/wanted", test_wanted);
    g_test_add_func("/front/finding", test_finding);
    g_test_add_func("/front/vanished", test_vanished);
    g_test_add_func("/front/in-parallel", test_in_parallel);
    int result = g_test_run();
    model_set_free(models);
    return result;
}
