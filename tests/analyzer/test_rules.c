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

static void test_suppressions(void)
{
    struct scan_result *result = scan_result_new();
    struct finding_fact *same_line = add_finding(result, "syscall", "a.c", 2);
    struct finding_fact *line_below = add_finding(result, "loop", "a.c", 4);
    struct finding_fact *other_rule = add_finding(result, "log", "a.c", 2);
    struct finding_fact *too_far = add_finding(result, "loop", "a.c", 5);
    struct finding_fact *other_file = add_finding(result, "syscall", "b.c", 2);
    suppress_apply(result, "a.c",
                   "int a;\n"
                   "f(); /* spinfault: ok(syscall) once */\n"
                   "// spinfault: ok( loop ) short\n"
                   "g();\n"
                   "h();\n"
                   "i(); // spinfault: ok(alloc) never happens\n");
    g_assert_true(same_line->suppressed);
    g_assert_true(line_below->suppressed);
    g_assert_false(other_rule->suppressed);
    g_assert_false(too_far->suppressed);
    g_assert_false(other_file->suppressed);
    g_assert_cmpuint(result->notes->len, ==, 1);
    g_assert_nonnull(strstr(result->notes->pdata[0], "a.c:6: "));
    scan_result_free(result);
}

static void test_suppression_without_reason(void)
{
    struct scan_result *result = scan_result_new();
    struct finding_fact *finding = add_finding(result, "syscall", "a.c", 1);
    suppress_apply(result, "a.c", "f(); /* spinfault: ok(syscall) */");
    g_assert_true(finding->suppressed);
    g_assert_cmpuint(result->notes->len, ==, 1);
    g_assert_nonnull(strstr(result->notes->pdata[0], "no reason"));
    scan_result_free(result);
}

static void test_damaged_suppressions(void)
{
    static const char *const texts[] = {"", "spinfault: ok(", "spinfault: ok(\nloop)",
                                        "spinfault: ok()", "spinfault: ok(spinfault: ok("};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        struct scan_result *result = scan_result_new();
        struct finding_fact *finding = add_finding(result, "loop", "a.c", 1);
        suppress_apply(result, "a.c", texts[i]);
        suppress_apply(result, "a.c", NULL);
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
    g_test_add_func("/rules/suppression-without-reason", test_suppression_without_reason);
    g_test_add_func("/rules/damaged-suppressions", test_damaged_suppressions);
    g_test_add_func("/rules/fingerprints", test_fingerprints);
    return g_test_run();
}
