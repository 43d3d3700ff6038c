// The table of rules, its pages, fingerprints and suppressions.
#include <string.h>

#include "rule.h"
#include "spinfault/analyzer.h"
#include "suppress.h"

static void test_pages(void)
{
    size_t n = 0;
    const struct rule_info *rules = analyzer_rules(&n);
    g_assert_cmpuint(n, >=, 18);
    for (size_t i = 0; i < n; i++) {
        g_autofree char *title = g_strdup_printf("# %s: %s\n", rules[i].name, rules[i].summary);
        g_assert_true(g_str_has_prefix(rules[i].help, title));
        const char *const headings[] = {"## What", "## Why", "## Fires", "## Stays quiet",
                                        "## Fix"};
        for (size_t k = 0; k < G_N_ELEMENTS(headings); k++)
            g_assert_nonnull(strstr(rules[i].help, headings[k]));
        for (size_t k = 0; k < i; k++)
            g_assert_cmpstr(rules[i].name, !=, rules[k].name);
    }
}

static struct finding_fact *add_finding(struct scan_result *result, const char *rule,
                                        const char *file, unsigned line)
{
    struct finding_fact *fact = SCAN_RESULT_NEW(result, struct finding_fact, 1);
    *fact = (struct finding_fact){
        .rule = rule, .file = file, .line = line, .severity = SEVERITY_HIGH, .object = ""};
    g_ptr_array_add(result->findings, fact);
    return fact;
}

// Suppresses in a.c; the notes, joined.
static char *suppress_in(struct scan_result *result, const char *text, bool unsure)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    struct suppress_file file = {"a.c", text, unsure};
    suppress_apply(&file, result->findings, notes);
    g_ptr_array_add(notes, NULL);
    return g_strjoinv("\n", (char **)notes->pdata);
}

static void test_suppressions(void)
{
    struct scan_result *result = scan_result_new();
    struct finding_fact *same_line = add_finding(result, "syscall", "a.c", 2);
    struct finding_fact *line_below = add_finding(result, "loop", "a.c", 4);
    struct finding_fact *other_rule = add_finding(result, "log", "a.c", 2);
    struct finding_fact *too_far = add_finding(result, "loop", "a.c", 5);
    struct finding_fact *other_file = add_finding(result, "syscall", "b.c", 2);
    const char *text = "int a;\n"
                       "f(); /* spinfault: ok(syscall) once */\n"
                       "// spinfault: ok( loop ) short\n"
                       "g();\n"
                       "h();\n"
                       "i(); // spinfault: ok(alloc) never happens\n"
                       "j(\"spinfault: ok(alloc)\"); /* not a comment */\n"
                       "// spinfault: ok(lop) mistyped";
    g_autofree char *notes = suppress_in(result, text, false);
    g_assert_true(same_line->suppressed);
    g_assert_true(line_below->suppressed);
    g_assert_false(other_rule->suppressed);
    g_assert_false(too_far->suppressed);
    g_assert_false(other_file->suppressed);
    g_assert_cmpstr(
        notes, ==,
        "a.c:6: the suppression of alloc suppresses nothing; remove it\n"
        "a.c:8: there is no rule \"lop\" to suppress; \"spinfault explain\" lists them");
    // Where not everything was understood, nobody knows whether it is of use.
    g_autofree char *unsure = suppress_in(result, text, true);
    g_assert_null(strstr(unsure, "a.c:6"));
    scan_result_free(result);
}

// Comments of several lines, several comments, several rules in one.
static void test_suppressions_above(void)
{
    struct scan_result *result = scan_result_new();
    struct finding_fact *loop = add_finding(result, "loop", "a.c", 5);
    struct finding_fact *log = add_finding(result, "log", "a.c", 5);
    struct finding_fact *alloc = add_finding(result, "alloc", "a.c", 5);
    struct finding_fact *later = add_finding(result, "alloc", "a.c", 6);
    g_autofree char *notes = suppress_in(result,
                                         "/* spinfault: ok(loop) it is short, and\n"
                                         " * it is rare */\n"
                                         "\n"
                                         "f(); /* spinfault: ok(alloc, log) a pool */\n"
                                         "g();\n"
                                         "h();\n",
                                         false);
    g_assert_false(loop->suppressed); // an empty line is between
    g_assert_true(log->suppressed);
    g_assert_true(alloc->suppressed);
    g_assert_false(later->suppressed);
    g_assert_cmpstr(notes, ==, "a.c:1: the suppression of loop suppresses nothing; remove it");
    g_autofree char *joined = suppress_in(result,
                                          "\n"
                                          "/* spinfault: ok(loop) it is short, and\n"
                                          " * it is rare */\n"
                                          "// something else\n"
                                          "g();\n"
                                          "h(); /* spinfault: ok(*) all of it */\n",
                                          false);
    g_assert_true(loop->suppressed);
    g_assert_true(later->suppressed);
    g_assert_cmpstr(joined, ==, "");
    scan_result_free(result);
}

static void test_suppression_without_reason(void)
{
    struct scan_result *result = scan_result_new();
    struct finding_fact *finding = add_finding(result, "syscall", "a.c", 1);
    g_autofree char *notes = suppress_in(result, "f(); /* spinfault: ok(syscall) - */", false);
    g_assert_true(finding->suppressed);
    g_assert_cmpstr(notes, ==, "a.c:1: the suppression of syscall gives no reason; add one");
    scan_result_free(result);
}

static void test_damaged_suppressions(void)
{
    static const char *const texts[] = {"",
                                        "/* spinfault: ok(",
                                        "// spinfault: ok(\nloop)",
                                        "// spinfault: ok()",
                                        "// spinfault: ok(spinfault: ok(",
                                        "\"\\",
                                        "'",
                                        "/*/ spinfault: ok(loop"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        struct scan_result *result = scan_result_new();
        struct finding_fact *finding = add_finding(result, "loop", "a.c", 1);
        g_free(suppress_in(result, texts[i], false));
        g_free(suppress_in(result, NULL, false));
        g_assert_false(finding->suppressed);
        scan_result_free(result);
    }
}

static const char *fingerprint(const char *object, unsigned line, struct scan_result *result)
{
    static const struct rule rule = {.name = "loop"};
    static const struct ir_function function = {.name = "f"};
    struct function_sections sections = {.function = &function};
    struct rule_context context = {&rule, &sections, result};
    struct rule_finding finding = {.location = {"a.c", line, 1},
                                   .lock = "lock",
                                   .object = object,
                                   .severity = SEVERITY_LOW,
                                   .message = "m",
                                   .suggestion = "s"};
    rule_report(&context, &finding);
    const struct finding_fact *fact = result->findings->pdata[result->findings->len - 1];
    g_assert_cmpuint(strlen(fact->fingerprint), >=, 16);
    return fact->fingerprint;
}

static void test_fingerprints(void)
{
    struct scan_result *result = scan_result_new();
    const char *first = fingerprint("x", 10, result);
    g_assert_cmpstr(first, ==, fingerprint("x", 20, result));
    g_assert_cmpstr(first, !=, fingerprint("y", 10, result));
    // The very same finding is reported once.
    guint n = result->findings->len;
    fingerprint("x", 10, result);
    g_assert_cmpuint(result->findings->len, ==, n);
    scan_result_free(result);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rules/pages", test_pages);
    g_test_add_func("/rules/suppressions", test_suppressions);
    g_test_add_func("/rules/suppressions-above", test_suppressions_above);
    g_test_add_func("/rules/suppression-without-reason", test_suppression_without_reason);
    g_test_add_func("/rules/damaged-suppressions", test_damaged_suppressions);
    g_test_add_func("/rules/fingerprints", test_fingerprints);
    return g_test_run();
}
