// Damage is found and named; a backup is as sound as what it was made of.
#include "support.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <unistd.h>

static void fill(const char *path)
{
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "one");
    feed_profile(a, "p", 700);
    feed_scan(a, "/src/pg", 1000, (const char *const[]){"aa11", "bb22", NULL});
    archive_close(a);
}

static GPtrArray *problems_of(const char *path)
{
    GError *error = NULL;
    struct archive *a = open_ok(path, ARCHIVE_READ);
    GPtrArray *problems = archive_verify(a, &error);
    g_assert_no_error(error);
    archive_close(a);
    return problems;
}

static void sound(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    fill(path);
    g_autoptr(GPtrArray) problems = problems_of(path);
    for (guint i = 0; i < problems->len; i++)
        g_test_message("%s", (char *)problems->pdata[i]);
    g_assert_cmpuint(problems->len, ==, 0);
    folder_free(folder);
}

// Rows that are wrong though every page is right.
static void rows(void)
{
    static const struct {
        const char *damage, *words;
    } cases[] = {
        {"DELETE FROM run_tag; DELETE FROM metric WHERE run_id = 2 AND seq = 0", "says it has 9"},
        {"DELETE FROM run WHERE id = 3", "source 1 (results/pgbench.csv) says it has 3 runs"},
        {"DELETE FROM series_point WHERE t = 5", "points of series"},
        {"DELETE FROM sample WHERE seq = 5", "says it has 700 samples, but 699"},
        {"UPDATE sample SET weight = weight + 1 WHERE seq = 5", "its samples weigh"},
        {"DELETE FROM side_record WHERE type = 'lost'", "side records"},
        {"DELETE FROM wait_sample", "wait-event samples"},
        {"DELETE FROM environment", "environment facts"},
        {"DELETE FROM section WHERE id = 1", "says it has 2 sections"},
        {"DELETE FROM finding WHERE id = 1", "says it has 2 findings"},
        {"DELETE FROM string WHERE text = 'pool_take'", "refer to rows of string"},
        {"DELETE FROM frame WHERE id = (SELECT max(id) FROM frame)", "a frame that is not there"},
        {"UPDATE stack_block SET data = substr(data, 1, 9)", "can't be unpacked"},
        {"UPDATE stack_block SET data = x'ffffffffff'", "can't be unpacked"},
        {"DELETE FROM stack_block", "name a stack that is not there"},
        {"UPDATE source SET sha256 = printf('%064d', 0) WHERE id = 1", "was never completed"},
        {"PRAGMA writable_schema = ON; UPDATE run SET source_id = 77 WHERE id = 1",
         "rows of source"},
        {"PRAGMA ignore_check_constraints = ON; UPDATE run SET preempt = 'odd' WHERE id = 1",
         "CHECK constraint failed in run"},
    };
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        fill(path);
        run_sql(path, cases[i].damage);
        g_autoptr(GPtrArray) problems = problems_of(path);
        bool said = false;
        for (guint k = 0; k < problems->len; k++)
            said |= strstr(problems->pdata[k], cases[i].words) != NULL;
        if (!said)
            g_error("%s: %u problems, none says '%s' (first: %s)", cases[i].damage, problems->len,
                    cases[i].words, problems->len ? (char *)problems->pdata[0] : "");
        g_assert_cmpint(g_unlink(path), ==, 0);
    }
    folder_free(folder);
}

// Noise over any one page: found, or refused when opened, and never a crash.
static void pages(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    fill(path);
    g_autofree char *good = NULL;
    gsize len;
    g_assert_true(g_file_get_contents(path, &good, &len, NULL));
    unsigned found = 0, pages = (unsigned)(len / 4096);
    for (unsigned page = 0; page < pages; page++) {
        GError *error = NULL;
        g_autofree char *bad = g_memdup2(good, len);
        for (unsigned i = 0; i < 4096; i++)
            bad[page * 4096 + i] = (char)g_test_rand_int();
        g_assert_true(g_file_set_contents(path, bad, (gssize)len, NULL));
        struct archive *a = archive_open(path, ARCHIVE_READ, &error);
        g_autoptr(GPtrArray) problems = a ? archive_verify(a, &error) : NULL;
        archive_close(a);
        if (!problems)
            g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED);
        g_clear_error(&error);
        found += !problems || problems->len > 0;
    }
    // A page on the free list holds nothing, so noise there is no damage.
    g_assert_cmpuint(found, >=, pages - 2);
    g_assert_true(g_file_set_contents(path, good, (gssize)(len / 2), NULL));
    GError *error = NULL;
    struct archive *a = archive_open(path, ARCHIVE_READ, &error);
    g_autoptr(GPtrArray) problems = a ? archive_verify(a, &error) : NULL;
    g_assert_true(!problems || problems->len > 0);
    g_clear_error(&error);
    archive_close(a);
    folder_free(folder);
}

// Queries on a damaged archive fail with a sentence.
static void queries_of_damaged(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    fill(path);
    run_sql(path, "PRAGMA ignore_check_constraints = ON; UPDATE section SET scope = 'odd';"
                  "UPDATE finding SET severity = 'odd'; UPDATE scan_file SET status = 'odd';"
                  "UPDATE metric_kind SET better = 'odd'; UPDATE run SET status = 'odd';"
                  "UPDATE stack_block SET data = x'0101'");
    struct archive *a = open_ok(path, ARCHIVE_READ);
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        g_assert_null(call);                                                                       \
        g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED);                           \
        g_assert_nonnull(strstr(error->message, path));                                            \
        g_clear_error(&error);                                                                     \
    } while (0)
    REFUSED(archive_runs(a, NULL, &error));
    REFUSED(archive_metrics(a, NULL, NULL, &error));
    REFUSED(archive_sections(a, 1, &error));
    REFUSED(archive_findings(a, 1, &error));
    REFUSED(archive_scan_files(a, 1, &error));
    REFUSED(archive_stack_tree(a, 1, &error));
    archive_close(a);
    folder_free(folder);
}

static void backup(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    g_autofree char *copy = in_folder(folder, "copy.db");
    fill(path);
    struct archive *a = open_ok(path, ARCHIVE_READ);
    assert_ok(archive_backup(a, copy, &error), error);
    g_assert_false(archive_backup(a, copy, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_USAGE);
    g_clear_error(&error);
    g_assert_false(archive_backup(a, "/no/such/folder/copy.db", &error));
    g_assert_nonnull(error);
    g_clear_error(&error);
    archive_close(a);
    g_autoptr(GPtrArray) problems = problems_of(copy);
    g_assert_cmpuint(problems->len, ==, 0);
    g_assert_cmpint(number_in(copy, "SELECT count(*) FROM sample"), ==, 700);
    // Nothing but the two archives is left.
    unsigned n = 0;
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    while (g_dir_read_name(dir))
        n++;
    g_assert_cmpuint(n, ==, 2);
    folder_free(folder);
}

static void rebuild(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    fill(path);
    static const char sums[] = "SELECT sum(total) + 7 * sum(self_samples) FROM profile_function";
    int64_t before = number_in(path, sums);
    run_sql(path, "DELETE FROM profile_function WHERE self > 0");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    assert_ok(archive_rebuild(a, &error), error);
    archive_close(a);
    g_assert_cmpint(number_in(path, sums), ==, before);
    folder_free(folder);
}

static void prune(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    g_autofree char *copy = in_folder(folder, "before.db");
    fill(path);
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_profile(a, "p2", 100);
    const int64_t sources[] = {2}, scans[] = {1}, missing[] = {1, 99};
    // One that is not there: nothing goes, and no backup is left.
    g_assert_false(archive_prune(a, missing, 2, scans, 1, copy, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_NOT_FOUND);
    g_clear_error(&error);
    g_assert_false(g_file_test(copy, G_FILE_TEST_EXISTS));
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM source"), ==, 3);
    assert_ok(archive_prune(a, sources, 1, scans, 1, copy, &error), error);
    archive_close(a);
    g_autoptr(GPtrArray) problems = problems_of(path);
    g_assert_cmpuint(problems->len, ==, 0);
    static const char *const gone[] = {"scan",    "section",      "section_access",
                                       "finding", "finding_step", "scan_file"};
    for (size_t i = 0; i < G_N_ELEMENTS(gone); i++) {
        g_autofree char *sql = g_strdup_printf("SELECT count(*) FROM %s", gone[i]);
        g_assert_cmpint(number_in(path, sql), ==, 0);
    }
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM sample"), ==, 100);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM profile"), ==, 2);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM run"), ==, 3);
    // The names that only they used went too: nothing is left that nothing refers to, and all that
    // is referred to is there (problems_of() above looked).
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM string WHERE text = 'pool_take'"), ==, 0);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM string"), <,
                    number_in(copy, "SELECT count(*) FROM string"));
    // Undone from the backup.
    struct archive_import_counts counts;
    a = open_ok(path, ARCHIVE_WRITE);
    assert_ok(archive_import(a, copy, &counts, &error), error);
    g_assert_cmpuint(counts.stored_sources, ==, 1);
    g_assert_cmpuint(counts.stored_scans, ==, 1);
    archive_close(a);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM sample"), ==, 800);
    folder_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/verify/sound", sound);
    g_test_add_func("/db/verify/rows", rows);
    g_test_add_func("/db/verify/pages", pages);
    g_test_add_func("/db/verify/queries-of-damaged", queries_of_damaged);
    g_test_add_func("/db/verify/backup", backup);
    g_test_add_func("/db/verify/rebuild", rebuild);
    g_test_add_func("/db/verify/prune", prune);
    return g_test_run();
}
