// Every example in docs/rules is scanned: what should fire fires, and what should not is quiet.
#include <string.h>

#include "scratch.h"
#include "spinfault/analyzer.h"

#define PAGE_WIDTH 80

static const char PREAMBLE[] = "#include <stdio.h>\n"
                               "#include <stdlib.h>\n"
                               "#include <string.h>\n"
                               "#include <syslog.h>\n"
                               "#include <unistd.h>\n"
                               "typedef unsigned char slock_t;\n"
                               "void SpinLockAcquire(volatile slock_t *lock);\n"
                               "void SpinLockRelease(volatile slock_t *lock);\n";
// For pages that do not say what a pool is.
static const char TYPES[] =
    "struct pool { slock_t guard; int first, used, owner; void *spare; int flags[16]; };\n"
    "extern struct pool *the_pool;\n"
    "struct table { slock_t read_lock, write_lock; int marks; };\n"
    "struct board { slock_t guard; char title[64]; char text[2048]; };\n"
    "extern void helper_one(void), helper_two(void), helper_three(void), helper_four(void),\n"
    "    helper_five(void);\n";

struct count {
    const char *rule;
    unsigned found, files;
};

static bool on_finding(void *context, const struct finding_fact *finding, GError **error)
{
    (void)error;
    struct count *count = context;
    count->found += strcmp(finding->rule, count->rule) == 0;
    return true;
}

static bool on_file(void *context, const struct file_fact *file, GError **error)
{
    (void)error;
    g_test_message("%s: %s", file->file, file->why);
    ((struct count *)context)->files++;
    return true;
}

static char *example_of(const char *page, const char *heading)
{
    const char *start = strstr(page, heading);
    g_assert_nonnull(start);
    start = strstr(start, "```c\n");
    g_assert_nonnull(start);
    start += strlen("```c\n");
    const char *end = strstr(start, "```");
    g_assert_nonnull(end);
    return g_strndup(start, (gsize)(end - start));
}

static unsigned scan_example(const char *rule, const char *example)
{
    char *dir = scratch_new();
    const char *types = strstr(example, "struct pool {") ? "" : TYPES;
    g_autofree char *text = g_strconcat(PREAMBLE, types, example, NULL);
    g_autofree char *path = scratch_write(dir, "example.c", text);
    const char *paths[] = {path, NULL}, *args[] = {NULL};
    const struct scan_options options = {.paths = paths, .clang_args = args, .jobs = 1};
    struct count count = {.rule = rule};
    const struct fact_sink sink = {.context = &count, .finding = on_finding, .file = on_file};
    struct scan_summary summary;
    g_autoptr(GError) error = NULL;
    g_assert_true(scan_run(&options, &sink, &summary, &error));
    g_assert_no_error(error);
    g_assert_cmpuint(summary.sections, >, 0);
    g_assert_cmpuint(count.files, ==, 0); // it compiles
    scratch_free(dir);
    return count.found;
}

// `spinfault explain` prints the page as it is.
static void check_width(const struct rule_info *rule)
{
    g_auto(GStrv) lines = g_strsplit(rule->help, "\n", -1);
    for (char **line = lines; *line; line++) {
        if (g_utf8_strlen(*line, -1) > PAGE_WIDTH)
            g_error("docs/rules/%s.md has a line of more than %d columns: %s", rule->name,
                    PAGE_WIDTH, *line);
    }
}

static void test_examples(gconstpointer data)
{
    const struct rule_info *rule = data;
    check_width(rule);
    g_autofree char *fires = example_of(rule->help, "## Fires");
    g_autofree char *quiet = example_of(rule->help, "## Stays quiet");
    g_assert_cmpuint(scan_example(rule->name, fires), >, 0);
    g_assert_cmpuint(scan_example(rule->name, quiet), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    size_t n = 0;
    const struct rule_info *rules = analyzer_rules(&n);
    for (size_t i = 0; i < n; i++) {
        g_autofree char *path = g_strconcat("/rule-examples/", rules[i].name, NULL);
        g_test_add_data_func(path, &rules[i], test_examples);
    }
    return g_test_run();
}
