// The formats of scan, fed with facts by hand; baselines; the tee.
#include <glib/gstdio.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "display.h"
#include "scan_baseline.h"
#include "scan_output.h"
#include "sink_tee.h"

static const struct path_step steps[] = {
    {"pool.c", 2, "acquired"},
    {"pool.c", 3, "write of slots[].owner may fault"},
};

static const struct finding_fact a_finding = {
    .rule = "fault-under-lock",
    .severity = SEVERITY_HIGH,
    .confidence = CONFIDENCE_HIGH,
    .file = "pool.c",
    .line = 3,
    .column = 4,
    .function = "take",
    .lock = "pool->lock",
    .acquire_line = 2,
    .object = "slots[].owner",
    .message = "50% odd: a,b",
    .suggestion = "touch it before",
    .fingerprint = "00112233445566aa",
    .path = steps,
    .n_path = G_N_ELEMENTS(steps),
};

static const struct access_fact accesses[] = {
    {3, "pool->free_head", false, RESIDENCY_SAME_PAGE, WHY_NONE, 4, 0},
    {3, "pool->a_rather_long_name_of_a_field[].and_another_long_one.owner", true,
     RESIDENCY_MAY_FAULT, WHY_RUN_TIME_INDEX, 4, UINT64_C(31457280)},
};
static const unsigned releases[] = {9, 12345};
static const struct section_fact a_section = {
    .file = "src/backend/storage/buffer/and/some/more/folders/pool.c",
    .function = "a_function_with_a_name_of_many_characters",
    .acquire_line = 2,
    .release_lines = releases,
    .n_release_lines = 2,
    .api = "SpinLockAcquire",
    .model = "postgresql",
    .lock = "StrategyControl->buffer_strategy_lock",
    .scope = SCOPE_SINGLETON,
    .left_held = true,
    .cost = 4000,
    .accesses = accesses,
    .n_accesses = G_N_ELEMENTS(accesses),
};

static const struct file_fact a_file = {"b.c", FILE_DEGRADED, "b.c:1: 'x.h' file not found"};
static const struct scan_summary a_summary = {
    .files = 2, .parsed = 2, .degraded = 1, .sections = 1, .findings = {0, 0, 0, 1}};

// Runs one scan of these facts through `sink`.
static void feed(const struct fact_sink *sink, const char *root, const struct finding_fact *finding)
{
    struct scan_fact scan = {.root = root, .version = "0"};
    g_autoptr(GError) error = NULL;
    g_assert_true(sink_scan_begin(sink, &scan, &error));
    g_assert_true(sink_section(sink, &a_section, &error));
    if (finding)
        g_assert_true(sink_finding(sink, finding, &error));
    g_assert_true(sink_file(sink, &a_file, &error));
    g_assert_true(sink_scan_end(sink, &a_summary, true, &error));
    g_assert_no_error(error);
}

static char *output_of(const struct scan_format *format, const char *root,
                       const struct finding_fact *finding, bool has_baseline)
{
    char *text = NULL;
    size_t length;
    struct scan_output_options options = {.out = open_memstream(&text, &length),
                                          .has_baseline = has_baseline};
    struct scan_output *output = scan_output_new(format, &options);
    feed(&output->sink, root, finding);
    scan_output_free(output);
    fclose(options.out);
    return text;
}

static char *make_tree(void)
{
    char *root = g_dir_make_tmp("spinfault-test-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(root, "pool.c", NULL);
    g_assert_true(g_file_set_contents(path, "// é\nlock(p);\n\té\tx = 1;\r\n", -1, NULL));
    return root;
}

static void remove_tree(char *root)
{
    g_autofree char *path = g_build_filename(root, "pool.c", NULL);
    g_remove(path);
    g_rmdir(root);
    g_free(root);
}

static void test_text(void)
{
    char *root = make_tree();
    g_autofree char *text = output_of(scan_format_find("text"), root, &a_finding, false);
    // The caret stands under the second tab: before it are eight blanks and a letter of two bytes.
    g_assert_cmpstr(text, ==,
                    "pool.c:3:4: high: 50% odd: a,b [fault-under-lock]\n"
                    "     3 |         é       x = 1;\n"
                    "       |          ^\n"
                    "pool.c:2: note: acquired\n"
                    "     2 | lock(p);\n"
                    "       = try: touch it before\n"
                    "\n"
                    "b.c: read as far as it goes: b.c:1: 'x.h' file not found\n"
                    "\n");
    remove_tree(root);
}

static void check_source(const char *line, unsigned column, unsigned width, const char *shown,
                         int caret)
{
    int at;
    g_autofree char *text = display_source(line, column, width, &at);
    g_assert_cmpstr(text, ==, shown);
    g_assert_cmpint(at, ==, caret);
}

static void test_display(void)
{
    check_source("a\tb", 3, 80, "a       b", 8);
    check_source("日本x", 7, 80, "日本x", 4);           // wide ones take two columns
    check_source("e\xcc\x81x", 4, 80, "e\xcc\x81x", 1); // a combining accent takes none
    check_source("\033[31m\xff!", 7, 80, "?[31m?!", 6);
    check_source("abc", 9, 80, "abc", -1);
    check_source("abc", 0, 80, "abc", -1);
    check_source("", 1, 80, "", -1);
    // Too wide: the part with the caret is shown.
    check_source("0123456789", 1, 6, "01234…", 0);
    check_source("0123456789abcdef", 11, 8, "…56789a…", 6);
    check_source("0123456789", 10, 6, "…6789", 4);
    g_autofree char *cut = display_fit("日本語", 4, false);
    g_assert_cmpstr(cut, ==, "日… ");
    g_autofree char *end = display_fit("a/long/path.c", 7, true);
    g_assert_cmpstr(end, ==, "…path.c");
    g_autofree char *wrapped = display_wrap("one two three four", 10, 2, 18);
    g_assert_cmpstr(wrapped, ==, "one two\n  three four");
    g_autofree char *long_word = display_wrap("a indivisible b", 0, 2, 5);
    g_assert_cmpstr(long_word, ==, "a\n  indivisible\n  b");
    g_autofree char *unwrapped = display_wrap("one two three four", 10, 2, 0);
    g_assert_cmpstr(unwrapped, ==, "one two three four");
}

// On a terminal nothing is wider than it.
static void test_text_narrow(void)
{
    char *root = make_tree();
    struct finding_fact finding = a_finding;
    finding.message =
        "a message of so many words that no terminal of eighty columns could ever show "
        "it on one line of its own";
    finding.suggestion = finding.message;
    for (unsigned width = 40; width <= 120; width += 40) {
        char *text = NULL;
        size_t length;
        struct scan_output_options options = {.out = open_memstream(&text, &length),
                                              .width = width};
        struct scan_output *output = scan_output_new(scan_format_find("text"), &options);
        g_assert_true(sink_finding(&output->sink, &finding, NULL));
        scan_output_free(output);
        fclose(options.out);
        g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
        for (size_t i = 0; lines[i]; i++)
            g_assert_cmpint(g_utf8_strlen(lines[i], -1), <=, width);
        free(text);
    }
    remove_tree(root);
}

static void test_text_without_source(void)
{
    struct finding_fact finding = a_finding;
    finding.column = 0;
    finding.line = 4000000;
    g_autofree char *text = output_of(scan_format_find("text"), "/nonexistent", &finding, false);
    g_assert_true(g_str_has_prefix(text, "pool.c:4000000:0: high: 50% odd: a,b"));
    finding.suppressed = true;
    g_autofree char *quiet = output_of(scan_format_find("text"), "/nonexistent", &finding, false);
    g_assert_null(strstr(quiet, "high"));
}

static void test_gcc(void)
{
    g_autofree char *text = output_of(scan_format_find("gcc"), "/", &a_finding, false);
    g_assert_cmpstr(text, ==,
                    "pool.c:3:4: error: 50% odd: a,b [fault-under-lock]\n"
                    "pool.c:2:1: note: acquired\n"
                    "pool.c:3:1: note: write of slots[].owner may fault\n"
                    "b.c:1:1: warning: read as far as it goes: b.c:1: 'x.h' file not found "
                    "[degraded]\n");
}

static void test_github(void)
{
    struct finding_fact finding = a_finding;
    finding.file = "a,b:c.c";
    finding.n_path = 0;
    g_autofree char *text = output_of(scan_format_find("github"), "/", &finding, false);
    g_assert_true(g_str_has_prefix(text, "::error file=a%2Cb%3Ac.c,line=3,col=4,"
                                         "title=fault-under-lock::50%25 odd: a,b%0ATry: touch"));
}

// GitHub shows the first ten of a step.
static void test_github_order(void)
{
    char *text = NULL;
    size_t length;
    struct scan_output_options options = {.out = open_memstream(&text, &length)};
    struct scan_output *output = scan_output_new(scan_format_find("github"), &options);
    struct finding_fact finding = a_finding;
    struct scan_fact scan = {.root = "/", .version = "0"};
    finding.severity = SEVERITY_LOW;
    g_assert_true(sink_scan_begin(&output->sink, &scan, NULL));
    g_assert_true(sink_finding(&output->sink, &finding, NULL));
    finding.severity = SEVERITY_HIGH;
    finding.message = "two\r\nlines";
    g_assert_true(sink_finding(&output->sink, &finding, NULL));
    g_assert_true(sink_scan_end(&output->sink, &a_summary, true, NULL));
    scan_output_free(output);
    fclose(options.out);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_assert_cmpuint(g_strv_length(lines), ==, 3);
    g_assert_true(g_str_has_prefix(lines[0], "::error "));
    g_assert_nonnull(strstr(lines[0], "::two%0D%0Alines%0Apool.c:2: acquired"));
    g_assert_true(g_str_has_prefix(lines[1], "::notice "));
    free(text);
}

static const char *string_at(json_t *value, const char *key)
{
    const char *text = json_string_value(json_object_get(value, key));
    g_assert_nonnull(text);
    return text;
}

static void test_sarif(void)
{
    struct finding_fact finding = a_finding;
    finding.file = "a b/pool.c";
    finding.function = "f\xff"; // not UTF-8
    finding.suppressed = true;
    g_autofree char *text = output_of(scan_format_find("sarif"), "/r", &finding, true);
    json_error_t why;
    json_t *log = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    g_assert_nonnull(log);
    g_assert_cmpstr(string_at(log, "version"), ==, "2.1.0");
    json_t *run = json_array_get(json_object_get(log, "runs"), 0);
    json_t *result = json_array_get(json_object_get(run, "results"), 0);
    g_assert_cmpstr(string_at(result, "ruleId"), ==, "fault-under-lock");
    g_assert_cmpstr(string_at(result, "level"), ==, "error");
    g_assert_cmpstr(string_at(result, "baselineState"), ==, "new");
    g_assert_cmpstr(string_at(json_array_get(json_object_get(result, "suppressions"), 0), "kind"),
                    ==, "inSource");
    g_assert_cmpstr(string_at(json_object_get(result, "partialFingerprints"), "spinfault/v1"), ==,
                    a_finding.fingerprint);
    json_t *place = json_object_get(json_array_get(json_object_get(result, "locations"), 0),
                                    "physicalLocation");
    g_assert_cmpstr(string_at(json_object_get(place, "artifactLocation"), "uri"), ==,
                    "a%20b/pool.c");
    json_t *flow = json_array_get(json_object_get(result, "codeFlows"), 0);
    json_t *thread = json_array_get(json_object_get(flow, "threadFlows"), 0);
    g_assert_cmpuint(json_array_size(json_object_get(thread, "locations")), ==, 2);
    json_t *base = json_object_get(json_object_get(run, "originalUriBaseIds"), "SRCROOT");
    g_assert_cmpstr(string_at(base, "uri"), ==, "file:///r/");
    // A rule that SARIF viewers can show: the finding's index leads to its name.
    json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
    size_t index = (size_t)json_integer_value(json_object_get(result, "ruleIndex"));
    json_t *rule = json_array_get(json_object_get(driver, "rules"), index);
    g_assert_cmpstr(string_at(rule, "id"), ==, "fault-under-lock");
    json_decref(log);
}

static void test_sections(void)
{
    g_autofree char *text = output_of(&scan_sections_format, "/", NULL, false);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (size_t i = 0; lines[i]; i++) {
        g_assert_cmpint(g_utf8_strlen(lines[i], -1), <=, 100);
        g_assert_false(g_str_has_suffix(lines[i], " "));
    }
    struct scan_output_options options = {.width = 80};
    char *narrow = NULL;
    size_t length;
    options.out = open_memstream(&narrow, &length);
    struct scan_output *output = scan_output_new(&scan_sections_format, &options);
    g_assert_true(sink_section(&output->sink, &a_section, NULL));
    scan_output_free(output);
    fclose(options.out);
    g_auto(GStrv) narrow_lines = g_strsplit(narrow, "\n", -1);
    for (size_t i = 0; narrow_lines[i]; i++)
        g_assert_cmpint(g_utf8_strlen(narrow_lines[i], -1), <=, 80);
    g_assert_nonnull(strstr(narrow, "31,457,280 pages"));
    free(narrow);
    g_assert_nonnull(strstr(text, "…")); // cut, and says so
    g_assert_nonnull(strstr(text, "31,457,280 pages"));
    g_assert_nonnull(strstr(text, "the caller gets the lock back held"));
}

struct counts {
    unsigned findings, in_baseline, begun, ended, ended_well;
};

static bool count_begin(void *context, const struct scan_fact *scan, GError **error)
{
    (void)scan;
    (void)error;
    ((struct counts *)context)->begun++;
    return true;
}

static bool count_finding(void *context, const struct finding_fact *fact, GError **error)
{
    struct counts *counts = context;
    (void)error;
    counts->findings++;
    counts->in_baseline += fact->baseline;
    return true;
}

static bool count_end(void *context, const struct scan_summary *summary, bool ok, GError **error)
{
    struct counts *counts = context;
    (void)summary;
    (void)error;
    counts->ended++;
    counts->ended_well += ok;
    return true;
}

static bool refuse_begin(void *context, const struct scan_fact *scan, GError **error)
{
    (void)context;
    (void)scan;
    return error_set(error, SPINFAULT_ERROR_IO, "full");
}

static bool refuse_end(void *context, const struct scan_summary *summary, bool ok, GError **error)
{
    (void)context;
    (void)summary;
    return !ok || error_set(error, SPINFAULT_ERROR_IO, "full");
}

// Two findings of one kind known, then three found: one is new.
static void test_baseline(void)
{
    struct counts counts = {0};
    struct fact_sink next = {.context = &counts, .finding = count_finding};
    struct scan_baseline baseline;
    struct scan_fact scan = {.root = "/"};
    struct scan_summary summary = {.findings = {0, 0, 0, 3}};
    g_autofree char *folder = g_dir_make_tmp("spinfault-test-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "baseline", NULL);
    g_autoptr(GError) error = NULL;
    for (unsigned round = 2; round <= 3; round++) {
        scan_baseline_init(&baseline, &next);
        if (round == 2)
            scan_baseline_record(&baseline);
        else
            g_assert_true(scan_baseline_read(&baseline, path, &error));
        sink_scan_begin(&baseline.sink, &scan, NULL);
        for (unsigned i = 0; i < round; i++)
            sink_finding(&baseline.sink, &a_finding, NULL);
        sink_scan_end(&baseline.sink, &summary, true, NULL);
        if (round == 2)
            g_assert_true(scan_baseline_write(&baseline, path, &error));
        scan_baseline_clear(&baseline);
    }
    g_assert_no_error(error);
    g_assert_cmpuint(counts.in_baseline, ==, 2);
    g_assert_cmpuint(baseline.summary.findings[SEVERITY_HIGH], ==, 1);
    g_assert_cmpuint(baseline.summary.baseline, ==, 2);
    g_assert_true(g_file_set_contents(path, "# spinfault baseline 1\n\nabc zero\n", -1, NULL));
    scan_baseline_init(&baseline, &next);
    g_assert_false(scan_baseline_read(&baseline, path, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED);
    g_assert_nonnull(strstr(error->message, "baseline:3 is no line"));
    scan_baseline_clear(&baseline);
    g_remove(path);
    g_rmdir(folder);
}

static void test_tee_ends_what_it_began(void)
{
    struct counts counts = {0};
    struct fact_sink good = {.context = &counts, .scan_begin = count_begin, .scan_end = count_end};
    struct fact_sink no_begin = {.scan_begin = refuse_begin};
    struct fact_sink no_end = {.scan_end = refuse_end};
    struct scan_fact scan = {.root = "/"};
    struct sink_tee tee;
    g_autoptr(GError) error = NULL;
    sink_tee_init(&tee);
    sink_tee_add(&tee, &good);
    sink_tee_add(&tee, &no_begin);
    g_assert_false(sink_scan_begin(&tee.sink, &scan, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_IO);
    g_assert_cmpuint(counts.ended, ==, 1);
    g_assert_cmpuint(counts.ended_well, ==, 0);
    g_clear_error(&error);
    // The first one fails at the end: the second still gets its end, and not a good one.
    sink_tee_init(&tee);
    sink_tee_add(&tee, &no_end);
    sink_tee_add(&tee, &good);
    g_assert_true(sink_scan_begin(&tee.sink, &scan, &error));
    g_assert_false(sink_scan_end(&tee.sink, &a_summary, true, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_IO);
    g_assert_cmpuint(counts.ended, ==, 2);
    g_assert_cmpuint(counts.ended_well, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/scan/text", test_text);
    g_test_add_func("/scan/display", test_display);
    g_test_add_func("/scan/text-narrow", test_text_narrow);
    g_test_add_func("/scan/github-order", test_github_order);
    g_test_add_func("/scan/text-without-source", test_text_without_source);
    g_test_add_func("/scan/gcc", test_gcc);
    g_test_add_func("/scan/github", test_github);
    g_test_add_func("/scan/sarif", test_sarif);
    g_test_add_func("/scan/sections", test_sections);
    g_test_add_func("/scan/baseline", test_baseline);
    g_test_add_func("/scan/tee-ends-what-it-began", test_tee_ends_what_it_began);
    return g_test_run();
}
