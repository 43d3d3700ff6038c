// perf script: what does not depend on one form. The forms are in tests/data/ingest/perf-script.
#include "support.h"

#define FRAMES "\t            7f10 work+0x10 (/opt/a)\n\t            7f20 main+0x4 (/opt/a)\n"

static const char recording[] =
    "# ========\n# hostname : box\n# os release : 6.14.0\n#\n"
    "a 1/1 [000] 1.000000: PERF_RECORD_MMAP2 1/1: [0x400000(0x1000) @ 0 00:01 9 7]: r-xp /opt/a\n"
    "a 1/1 [000] 1.000001: PERF_RECORD_LOST lost 34\n"
    "my app 1/2 [000] 1.000002:       2500 cycles:u: \n" FRAMES "\n"
    "b 2/2 [001] 1.000003:   7 page-faults:     7f625ad3e35c [unknown] (/dev/zero "
    "(deleted))\n" FRAMES "\n"
    "c 3/3 [001] 1.000004: sched:sched_switch: prev_comm=x: y prev_pid=1 ==> next_pid=2\n" FRAMES
    "      3fa2b1000 4K 4K\n"
    "d 4/4 [001] 1.000005:   9 cycles: \n" FRAMES "\n";

static void test_every_chunk(void)
{
    // The head is one chunk, so the recording has to be longer than that.
    GString *text = g_string_new(NULL);
    while (text->len < (size_t)2 * LIMIT_DETECT_BYTES)
        g_string_append(text, recording);
    g_autofree char *path = write_text("recording.txt", text->str);
    g_autofree char *whole = facts_of(path, 1u << 20, NULL, NULL);
    for (size_t chunk = 61; chunk < 1200; chunk += 97) {
        g_autofree char *facts = facts_of(path, chunk, NULL, NULL);
        g_assert_cmpstr(facts, ==, whole);
    }
    g_string_free(text, TRUE);
}

// Whatever is cut off, the records before the cut are what they were.
static void test_every_cut(void)
{
    g_autofree char *whole = facts_of_text(recording);
    g_auto(GStrv) expected = g_strsplit(whole, "\n", -1);
    for (size_t len = 1; len < sizeof recording; len++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *path = write_file("cut.txt", recording, len);
        g_autofree char *facts = facts_of(path, 0, "perf-script", &error);
        g_assert_no_error(error);
        // A record is complete when the next one has begun.
        g_autofree char *text = g_strndup(recording, len);
        unsigned complete = 0;
        static const char *const begins[] = {"\nb 2/2 [001] 1.000003:", "\nc 3/3 [001] 1.000004:",
                                             "\nd 4/4 [001] 1.000005:"};
        for (size_t i = 0; i < G_N_ELEMENTS(begins); i++)
            complete += strstr(text, begins[i]) != NULL;
        unsigned found = 0;
        for (char **line = expected; *line; line++)
            if (strstr(*line, "\"sample\"") && found < complete) {
                assert_holds(facts, *line);
                found++;
            }
        g_assert_cmpuint(found, ==, complete);
    }
}

static void test_skipped(void)
{
    GString *text = g_string_new(NULL);
    for (int i = 0; i < 30; i++)
        g_string_append_printf(text, "noise number %d\n", i);
    g_string_append(text, "a 1/1 [000] 1.0:   1 cycles: \n" FRAMES "\n");
    g_autofree char *facts = facts_of_text(text->str);
    g_assert_cmpuint(count_lines(facts, "\"skipped\""), ==, LIMIT_SKIPPED_SHOWN);
    g_assert_cmpuint(count_lines(facts, "\"sample\""), ==, 1);
    assert_holds(facts, "\"line\":20,");
    g_string_free(text, TRUE);
}

static void test_summary(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = write_file("cut.txt", recording, strlen(recording) - 12);
    struct fact_sink none = {0};
    struct source_summary summary;
    g_assert_true(ingest_file(path, NULL, &none, &summary, &error));
    g_assert_cmpstr(summary.format, ==, "perf-script");
    g_assert_cmpuint(summary.lost, ==, 34);
    g_assert_true(summary.truncated);
    g_assert_cmpuint(summary.bytes, ==, strlen(recording) - 12);
    g_assert_cmpuint(strlen(summary.sha256), ==, 64);
}

static void test_frames_limit(void)
{
    GString *text = g_string_new("a 1/1 [000] 1.0:   1 cycles: \n");
    for (unsigned i = 0; i < LIMIT_FRAMES + 5; i++)
        g_string_append(text, "\t            7f10 f+0x1 (/a)\n");
    g_string_append(text, "\nb 1/1 [000] 1.0:   1 cycles: \n" FRAMES);
    g_autofree char *facts = facts_of_text(text->str);
    g_assert_cmpuint(count_lines(facts, "\"sample\""), ==, 2);
    assert_holds(facts, "5 frames beyond the limit");
    g_string_free(text, TRUE);
}

// A line at a time may be long; a whole record may not grow without bound.
static void test_record_limit(void)
{
    size_t each = LIMIT_LINE_BYTES - 100;
    char *symbol = g_malloc(each + 1);
    memset(symbol, 's', each);
    symbol[each] = '\0';
    GString *text = g_string_new("a 1/1 [000] 1.0:   1 cycles: \n");
    for (unsigned i = 0; i < 6; i++)
        g_string_append_printf(text, "\t7f10 %s\n", symbol);
    g_free(symbol);
    g_autofree char *message = error_of_text(text->str, NULL);
    g_assert_nonnull(strstr(message, "LIMIT_LINE_BYTES"));
    g_string_free(text, TRUE);
}

static void test_settings(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = write_text("run.txt", recording);
    g_autofree char *sidecar =
        write_text("run.txt.spinfault.ini", "[set]\npreempt=PREEMPT_LAZY\npage=2MB\nkernel=mine\n");
    g_autofree char *facts = facts_of(path, 0, NULL, &error);
    g_assert_no_error(error);
    assert_holds(facts, "\"host\":\"box\"");
    assert_holds(facts, "\"kernel\":\"mine\"");
    assert_holds(facts, "\"preempt\":\"lazy\"");
    assert_holds(facts, "\"page\":\"2M\"");
    g_autofree char *bad = write_text("run.txt.spinfault.ini", "[set]\npage=large\n");
    g_autofree char *none = facts_of(path, 0, NULL, &error);
    g_assert_null(none);
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_USAGE);
    g_assert_nonnull(strstr(error->message, "4K"));
}

static bool stop_at_sample(void *context, const struct sample_fact *sample, GError **error)
{
    (void)sample;
    *(unsigned *)context += 1;
    return error_set(error, SPINFAULT_ERROR_IO, "disk full");
}

static bool note_end(void *context, const struct source_summary *summary, bool ok, GError **error)
{
    (void)summary;
    (void)error;
    *(unsigned *)context += ok ? 1000 : 100;
    return true;
}

// A sink that fails is told the end, once, and its error is the one that is reported.
static void test_failing_sink(void)
{
    unsigned calls = 0;
    g_autoptr(GError) error = NULL;
    g_autofree char *path = write_text("run.txt", recording);
    g_autofree char *sidecar = write_text("run.txt.spinfault.ini", "");
    struct fact_sink sink = {.context = &calls, .sample = stop_at_sample, .source_end = note_end};
    g_assert_false(ingest_file(path, NULL, &sink, NULL, &error));
    g_assert_cmpstr(error->message, ==, "disk full");
    g_assert_cmpuint(calls, ==, 101);
}

static void test_shared_weights(void)
{
    g_autofree char *folder = shared_folder("corpora/perf-script/own");
    if (!folder)
        return;
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    unsigned seen = 0;
    while ((name = g_dir_read_name(dir))) {
        if (!g_str_has_prefix(name, "cpuclock-") || !g_str_has_suffix(name, ".txt") ||
            strstr(name, "truncated"))
            continue;
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_autofree char *facts = facts_of(path, 0, NULL, NULL);
        g_assert_nonnull(facts);
        g_assert_cmpuint(count_lines(facts, "\"type\":\"sample\""), ==, 285);
        g_assert_cmpuint(count_lines(facts, "\"type\":\"skipped\""), ==, 0);
        guint64 weight = 0;
        for (char *p = facts; (p = strstr(p, "\"weight\":")); p++)
            weight += g_ascii_strtoull(p + strlen("\"weight\":"), NULL, 10);
        g_assert_true(weight == 959595855 || weight == 285);
        seen++;
    }
    g_assert_cmpuint(seen, >, 20);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ingest/perf-script/every-chunk", test_every_chunk);
    g_test_add_func("/ingest/perf-script/every-cut", test_every_cut);
    g_test_add_func("/ingest/perf-script/skipped", test_skipped);
    g_test_add_func("/ingest/perf-script/summary", test_summary);
    g_test_add_func("/ingest/perf-script/frames-limit", test_frames_limit);
    g_test_add_func("/ingest/perf-script/record-limit", test_record_limit);
    g_test_add_func("/ingest/perf-script/settings", test_settings);
    g_test_add_func("/ingest/perf-script/failing-sink", test_failing_sink);
    g_test_add_func("/ingest/perf-script/shared-weights", test_shared_weights);
    return g_test_run();
}
