// Archives become one. However another archive comes in, attached or as lines, the result is the
// same.
#include "support.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <unistd.h>

// Some of what fill_archive() stores, and more.
static void fill_other(const char *path)
{
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_profile(a, "q", 333);
    feed_runs(a, "one");
    feed_runs(a, "two");
    feed_scan(a, "/src/pg", 2000, (const char *const[]){"aa11", "bb22", NULL});
    feed_scan(a, "/src/pg", 1500, (const char *const[]){"bb22", "cc33", NULL});
    archive_close(a);
}

static void copy_file(const char *from, const char *to)
{
    g_autofree char *bytes = NULL;
    gsize len;
    g_assert_true(g_file_get_contents(from, &bytes, &len, NULL));
    g_assert_true(g_file_set_contents(to, bytes, (gssize)len, NULL));
}

// Rows of `what` (a table or view) that only one of the two archives has.
static int64_t differing(const char *path, const char *other, const char *what)
{
    g_autofree char *sql = g_strdup_printf(
        "ATTACH '%2$s' AS other; CREATE TEMP TABLE differing AS SELECT * FROM (SELECT * FROM "
        "main.%1$s EXCEPT SELECT * FROM other.%1$s) UNION ALL SELECT * FROM (SELECT * FROM "
        "other.%1$s EXCEPT SELECT * FROM main.%1$s)",
        what, other);
    sqlite3 *db;
    sqlite3_stmt *statement;
    g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
    g_assert_cmpint(sqlite3_exec(db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
    g_assert_cmpint(sqlite3_prepare_v2(db, "SELECT count(*) FROM temp.differing", -1, &statement,
                                       NULL),
                    ==, SQLITE_OK);
    g_assert_cmpint(sqlite3_step(statement), ==, SQLITE_ROW);
    int64_t n = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return n;
}

// Every table has as many rows in both, the lookups too: nothing unused was brought along.
static void assert_sizes(const char *path, const char *other)
{
    g_auto(GStrv) tables = NULL;
    sqlite3 *db;
    char **rows;
    int n;
    g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
    g_assert_cmpint(sqlite3_get_table(db,
                                      "SELECT name FROM sqlite_schema WHERE type = 'table' AND "
                                      "name NOT LIKE 'sqlite%'",
                                      &rows, &n, NULL, NULL),
                    ==, SQLITE_OK);
    g_assert_cmpint(n, >, 30);
    for (int i = 1; i <= n; i++) {
        g_autofree char *sql = g_strdup_printf("SELECT count(*) FROM %s", rows[i]);
        int64_t here = number_in(path, sql), there = number_in(other, sql);
        if (here != there)
            g_error("%s: %" G_GINT64_FORMAT " rows and %" G_GINT64_FORMAT, rows[i], here, there);
        if (here == 0 && strcmp(rows[i], "scan_cache") != 0)
            g_error("%s: the test has no row of it", rows[i]);
    }
    sqlite3_free_table(rows);
    sqlite3_close(db);
}

static void same_as_lines(void)
{
    // Those without numbers of strings, and of sections, which lines bring in the order of places.
    static const char *const views[] = {
        "source", "source_tags", "skipped", "runs",         "run_tags", "metrics",
        "points", "waits",       "hot",     "profiles",     "samples",  "mappings",
        "sample", "stack_block", "scan",    "environments",
    };
    char *folder = folder_new();
    g_autofree char *from = in_folder(folder, "from.db");
    g_autofree char *one = in_folder(folder, "attached.db");
    g_autofree char *two = in_folder(folder, "lines.db");
    g_autofree char *lines = in_folder(folder, "lines.jsonl");
    g_autofree char *again = in_folder(folder, "again.jsonl");
    fill_archive(from);
    fill_other(one);
    copy_file(one, two);
    g_autofree char *exported = export_of(from, lines);
    assert_counts(import_ok(one, from), 2, 1, 1, 1);
    assert_counts(import_ok(two, lines), 2, 1, 1, 1);
    g_autofree char *a = export_of(one, again), *b = export_of(two, again);
    assert_same(a, b);
    assert_sizes(one, two);
    for (size_t i = 0; i < G_N_ELEMENTS(views); i++)
        if (differing(one, two, views[i]) != 0)
            g_error("%s: rows differ", views[i]);
    // A second time nothing changes, nor does it the other way about.
    assert_counts(import_ok(one, from), 0, 3, 0, 2);
    assert_counts(import_ok(one, two), 0, 5, 0, 3);
    g_autofree char *c = export_of(one, again);
    assert_same(a, c);
    folder_free(folder);
}
static void fleet(void)
{
    char *folder = folder_new();
    g_autofree char *one = in_folder(folder, "one.db");
    g_autofree char *two = in_folder(folder, "two.db");
    g_autofree char *all = in_folder(folder, "all.db");
    struct archive *a = open_ok(one, ARCHIVE_WRITE);
    feed_runs(a, "shared");
    feed_runs(a, "only one");
    archive_close(a);
    a = open_ok(two, ARCHIVE_WRITE);
    feed_profile(a, "only two", 50);
    feed_runs(a, "shared");
    feed_scan(a, "/t", 5, (const char *const[]){"x", NULL});
    archive_close(a);
    assert_counts(import_ok(all, one), 2, 0, 0, 0);
    assert_counts(import_ok(all, two), 1, 1, 1, 0);
    assert_counts(import_ok(all, one), 0, 2, 0, 0);
    g_assert_cmpint(number_in(all, "SELECT count(*) FROM run"), ==, 6);
    // The time of the first ingest is kept.
    g_assert_cmpint(number_in(all, "SELECT ingested_ns FROM source WHERE id = 1"), ==,
                    number_in(one, "SELECT ingested_ns FROM source WHERE id = 1"));
    folder_free(folder);
}

// The lives of findings go on across the scans of both.
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
    g_autofree char *even = in_folder(folder, "even.db");
    g_autofree char *odd = in_folder(folder, "odd.db");
    struct archive *a = open_ok(even, ARCHIVE_WRITE), *b = open_ok(odd, ARCHIVE_WRITE);
    for (size_t i = 0; i < G_N_ELEMENTS(scans); i++)
        feed_scan(i % 2 ? b : a, "/src/pg", 1000 + (int64_t)i, scans[i]);
    archive_close(a);
    archive_close(b);
    assert_counts(import_ok(even, odd), 0, 0, 2, 0);
    a = open_ok(even, ARCHIVE_READ);
    g_autoptr(GPtrArray) rows = archive_finding_lives(a, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(rows->len, ==, 4);
    for (guint i = 0; i < rows->len; i++) {
        const struct finding_life *l = rows->pdata[i];
        g_assert_cmpuint(l->reappeared, ==, strcmp(l->fingerprint, "back") == 0);
        g_assert_cmpint(l->state == FINDING_FIXED, ==, strcmp(l->fingerprint, "fixed") == 0);
        g_assert_cmpint(l->from_start, ==,
                        strcmp(l->fingerprint, "always") == 0 ||
                            strcmp(l->fingerprint, "fixed") == 0);
    }
    archive_close(a);
    folder_free(folder);
}

// The import fails with `code` and a message of `words`; nothing of it is there.
static void refuse(const char *archive, const char *from, int code, const char *words)
{
    GError *error = NULL;
    struct archive_import_counts counts = {9, 9, 9, 9};
    int64_t before = number_in(archive, "SELECT total(id) FROM source") +
                     number_in(archive, "SELECT count(*) FROM string");
    struct archive *a = open_ok(archive, ARCHIVE_WRITE);
    g_assert_false(archive_import(a, from, &counts, &error));
    g_assert_error(error, SPINFAULT_ERROR, code);
    if (!strstr(error->message, words) || !strstr(error->message, from))
        g_error("'%s' does not say '%s' of %s", error->message, words, from);
    g_clear_error(&error);
    assert_counts(counts, 0, 0, 0, 0);
    // The archive can be used on, for another import too.
    g_autoptr(GPtrArray) problems = archive_verify(a, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(problems->len, ==, 0);
    archive_close(a);
    int64_t after = number_in(archive, "SELECT total(id) FROM source") +
                    number_in(archive, "SELECT count(*) FROM string");
    g_assert_cmpint(after, ==, before);
}

static void refused(void)
{
    char *folder = folder_new();
    g_autofree char *archive = in_folder(folder, "a.db");
    g_autofree char *link = in_folder(folder, "link.db");
    g_autofree char *other = in_folder(folder, "other.db");
    fill_other(archive);
    refuse(archive, archive, SPINFAULT_ERROR_USAGE, "the archive itself");
    g_assert_cmpint(symlink(archive, link), ==, 0);
    refuse(archive, link, SPINFAULT_ERROR_USAGE, "the archive itself");
    g_assert_cmpint(g_unlink(link), ==, 0);
    g_assert_cmpint(symlink("/nowhere/at/all", link), ==, 0);
    refuse(archive, link, SPINFAULT_ERROR_NOT_FOUND, "cannot read");
    fill_archive(other);
    run_sql(other, "PRAGMA user_version = 99");
    refuse(archive, other, SPINFAULT_ERROR_NEWER, "newer spinfault");
    run_sql(other, "PRAGMA user_version = 0");
    refuse(archive, other, SPINFAULT_ERROR_UNAVAILABLE, "older spinfault");
    run_sql(other, "PRAGMA user_version = 1; PRAGMA application_id = 7");
    refuse(archive, other, SPINFAULT_ERROR_DAMAGED, "of another program");
    g_assert_cmpint(g_unlink(other), ==, 0);
    folder_free(folder);
}

// Damage does not spread, whichever kind: facts that do not fit together, or pages.
static void damaged(void)
{
    static const char *const damages[] = {
        "UPDATE stack_block SET data = x'01'",
        "UPDATE profile SET weight = weight + 1",
        "DELETE FROM metric WHERE seq = 1",
        "DELETE FROM host",
        "UPDATE source SET samples = 7 WHERE id = 1",
        "PRAGMA ignore_check_constraints = ON; UPDATE section SET scope = 'odd'",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 9 WHERE name = 'finding'",
    };
    char *folder = folder_new();
    g_autofree char *archive = in_folder(folder, "a.db");
    g_autofree char *good = in_folder(folder, "good.db");
    g_autofree char *other = in_folder(folder, "other.db");
    fill_other(archive);
    fill_archive(good);
    for (size_t i = 0; i < G_N_ELEMENTS(damages); i++) {
        copy_file(good, other);
        run_sql(other, damages[i]);
        refuse(archive, other, SPINFAULT_ERROR_DAMAGED, "damaged");
    }
    assert_counts(import_ok(archive, good), 2, 1, 1, 1);
    folder_free(folder);
}

// The other archive is only read: while somebody writes to it, what was committed comes in, and not
// a byte of it is changed.
static void only_read(void)
{
    char *folder = folder_new(), *here = folder_new();
    g_autofree char *archive = in_folder(here, "a.db");
    g_autofree char *other = in_folder(folder, "o #1?.db");
    fill_archive(other);
    g_autofree char *before = NULL, *after = NULL;
    gsize before_len, after_len;
    g_assert_true(g_file_get_contents(other, &before, &before_len, NULL));
    sqlite3 *writer;
    g_assert_cmpint(sqlite3_open(other, &writer), ==, SQLITE_OK);
    g_assert_cmpint(sqlite3_exec(writer, "BEGIN IMMEDIATE; DELETE FROM metric", NULL, NULL, NULL),
                    ==, SQLITE_OK);
    assert_counts(import_ok(archive, other), 3, 0, 2, 0);
    g_assert_cmpint(sqlite3_exec(writer, "ROLLBACK", NULL, NULL, NULL), ==, SQLITE_OK);
    sqlite3_close(writer);
    g_assert_true(g_file_get_contents(other, &after, &after_len, NULL));
    g_assert_cmpmem(before, before_len, after, after_len);
    g_assert_cmpuint(folder_entries(folder), ==, 1);
    g_assert_cmpuint(folder_entries(here), ==, 1);
    folder_free(folder);
    folder_free(here);
}

// What was pruned leaves gaps: numbers are not used again, and maps are not by position.
static void after_prune(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *one = in_folder(folder, "one.db");
    g_autofree char *two = in_folder(folder, "two.db");
    g_autofree char *all = in_folder(folder, "all.db");
    g_autofree char *backup = in_folder(folder, "backup.db");
    g_autofree char *lines = in_folder(folder, "lines.jsonl");
    fill_archive(one);
    struct archive *a = open_ok(one, ARCHIVE_WRITE);
    const int64_t first = 1;
    assert_ok(archive_prune(a, &first, 1, &first, 1, backup, &error), error);
    feed_runs(a, "three");
    archive_close(a);
    g_autofree char *before = export_of(one, lines);
    assert_counts(import_ok(all, one), 3, 0, 1, 0);
    g_autofree char *after = export_of(all, lines);
    assert_same(before, after);
    // What was pruned comes back from the backup.
    assert_counts(import_ok(one, backup), 1, 2, 1, 1);
    fill_archive(two);
    assert_counts(import_ok(one, two), 0, 3, 0, 2);
    folder_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/merge/same-as-lines", same_as_lines);
    g_test_add_func("/db/merge/fleet", fleet);
    g_test_add_func("/db/merge/lives", lives);
    g_test_add_func("/db/merge/refused", refused);
    g_test_add_func("/db/merge/damaged", damaged);
    g_test_add_func("/db/merge/only-read", only_read);
    g_test_add_func("/db/merge/after-prune", after_prune);
    return g_test_run();
}
