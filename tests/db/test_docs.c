// The questions in docs/archive.md are asked here: each one runs and finds something.
#include "support.h"

#include <sqlite3.h>

static unsigned ask(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement;
    unsigned rows = 0;
    int rc = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
        rows++;
    if (rc != SQLITE_OK || sqlite3_finalize(statement) != SQLITE_OK)
        g_error("%s\n%s", sqlite3_errmsg(db), sql);
    return rows;
}

static void questions(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    g_autofree char *page = NULL;
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_profile(a, "p", 70);
    feed_runs(a, "one");
    feed_scan(a, "/src/pg", 1000, (const char *const[]){"aa11", NULL});
    feed_scan(a, "/src/pg", 2000, (const char *const[]){"aa11", "bb22", NULL});
    archive_close(a);
    g_assert_true(g_file_get_contents(SPINFAULT_SOURCE_DIR "/docs/archive.md", &page, NULL, NULL));
    sqlite3 *db;
    g_assert_cmpint(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
    unsigned n = 0;
    for (char *at = page; (at = strstr(at, "```sql\n")); n++) {
        at += strlen("```sql\n");
        char *end = strstr(at, "```");
        g_assert_nonnull(end);
        g_autofree char *sql = g_strndup(at, (gsize)(end - at));
        if (ask(db, sql) == 0)
            g_error("finds nothing:\n%s", sql);
        at = end;
    }
    g_assert_cmpuint(n, >=, 10);
    sqlite3_close(db);
    folder_free(folder);
}

// Every table of the schema is on the page, and every view is named.
static void complete(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    g_autofree char *page = NULL;
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "one");
    archive_close(a);
    g_assert_true(g_file_get_contents(SPINFAULT_SOURCE_DIR "/docs/archive.md", &page, NULL, NULL));
    sqlite3 *db;
    sqlite3_stmt *statement;
    unsigned n = 0;
    g_assert_cmpint(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
    g_assert_cmpint(sqlite3_prepare_v2(db,
                                       "SELECT name FROM sqlite_schema WHERE type IN ('table', "
                                       "'view') AND name NOT IN ('derived') AND name NOT LIKE "
                                       "'sqlite%'",
                                       -1, &statement, NULL),
                    ==, SQLITE_OK);
    for (; sqlite3_step(statement) == SQLITE_ROW; n++) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        if (!strstr(page, name))
            g_error("docs/archive.md does not say what %s is", name);
    }
    g_assert_cmpuint(n, >, 30);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    folder_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/docs/questions", questions);
    g_test_add_func("/db/docs/complete", complete);
    return g_test_run();
}
