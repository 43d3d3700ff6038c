// Since when a finding is there, and until when.
#include "support.h"

static const struct finding_life *life(const GPtrArray *rows, const char *fingerprint)
{
    for (guint i = 0; i < rows->len; i++)
        if (strcmp(((struct finding_life *)rows->pdata[i])->fingerprint, fingerprint) == 0)
            return rows->pdata[i];
    return NULL;
}

static void lives(void)
{
    static const char *const scans[][4] = {
        {"always", "fixed", NULL},
        {"always", "fixed", "back", NULL},
        {"always", NULL},
        {"always", "back", "new", NULL},
    };
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    // Stored out of order: what counts is when they were made.
    static const unsigned order[] = {2, 0, 3, 1};
    for (size_t i = 0; i < G_N_ELEMENTS(order); i++)
        feed_scan(a, "/src/pg", 1000 + order[i], scans[order[i]]);
    feed_scan(a, "/src/other", 1, (const char *const[]){"elsewhere", NULL});

    g_autoptr(GPtrArray) rows = archive_finding_lives(a, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(rows->len, ==, 4);
    const struct finding_life *l = life(rows, "always");
    g_assert_cmpint(l->state, ==, FINDING_PRESENT);
    g_assert_true(l->from_start);
    g_assert_cmpint(l->first_scan, ==, 2);
    g_assert_cmpint(l->last_scan, ==, 3);
    g_assert_cmpint(l->fixed_scan, ==, -1);
    g_assert_cmpuint(l->reappeared, ==, 0);
    g_assert_cmpstr(l->rule, ==, "fault-under-lock");
    g_assert_cmpstr(l->file, ==, "src/pool.c");
    g_assert_cmpint(l->severity, ==, SEVERITY_HIGH);
    l = life(rows, "fixed");
    g_assert_cmpint(l->state, ==, FINDING_FIXED);
    g_assert_cmpint(l->last_scan, ==, 4);
    g_assert_cmpint(l->fixed_scan, ==, 1);
    g_assert_cmpstr(l->fixed_commit, ==, "abc123");
    l = life(rows, "back");
    g_assert_cmpint(l->state, ==, FINDING_PRESENT);
    g_assert_false(l->from_start);
    g_assert_cmpint(l->first_scan, ==, 4);
    g_assert_cmpuint(l->reappeared, ==, 1);
    l = life(rows, "new");
    g_assert_cmpint(l->first_scan, ==, 3);
    // Those that are fixed come last.
    g_assert_true(rows->pdata[3] == life(rows, "fixed"));

    g_autoptr(GPtrArray) other = archive_finding_lives(a, "/src/other", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(other->len, ==, 1);
    g_assert_null(archive_finding_lives(a, "/src/none", &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_NOT_FOUND);
    g_clear_error(&error);
    archive_close(a);
    folder_free(folder);
}

// A scan of a few files says nothing of findings elsewhere.
static void part(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    const struct fact_sink *sink = archive_sink(a);
    feed_scan(a, "/src/pg", 1000, (const char *const[]){"aa", NULL});
    const struct scan_summary small = {.files = 1};
    assert_ok(sink_scan_begin(sink, &(struct scan_fact){"/src/pg", "0", NULL, 2000}, &error),
              error);
    assert_ok(sink_scan_end(sink, &small, true, &error), error);
    g_autoptr(GPtrArray) rows = archive_finding_lives(a, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpint(life(rows, "aa")->state, ==, FINDING_PRESENT);
    // One of as many files does.
    const struct scan_summary whole = {.files = 9};
    assert_ok(sink_scan_begin(sink, &(struct scan_fact){"/src/pg", "0", NULL, 3000}, &error),
              error);
    assert_ok(sink_scan_end(sink, &whole, true, &error), error);
    g_autoptr(GPtrArray) later = archive_finding_lives(a, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpint(life(later, "aa")->state, ==, FINDING_FIXED);
    g_assert_cmpint(life(later, "aa")->fixed_scan, ==, 3);
    archive_close(a);
    folder_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/lives/lives", lives);
    g_test_add_func("/db/lives/part", part);
    return g_test_run();
}
