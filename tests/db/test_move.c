// Export and import: exact, repeatable, whole or not at all.
#include "support.h"

#include <glib/gstdio.h>
#include <sqlite3.h>

static void round_trip(void)
{
    char *folder = folder_new();
    g_autofree char *first = in_folder(folder, "first.db");
    g_autofree char *second = in_folder(folder, "second.db");
    g_autofree char *third = in_folder(folder, "third.db");
    g_autofree char *lines = in_folder(folder, "lines.jsonl");
    g_autofree char *again = in_folder(folder, "again.jsonl");
    fill_archive(first);
    g_autofree char *before = export_of(first, lines);
    assert_counts(import_ok(second, lines), 3, 0, 2, 0);
    g_autofree char *after = export_of(second, again);
    assert_same(before, after);
    // A second time nothing changes, from lines or from an archive.
    assert_counts(import_ok(second, lines), 0, 3, 0, 2);
    assert_counts(import_ok(second, first), 0, 3, 0, 2);
    g_free(after);
    after = export_of(second, again);
    assert_same(before, after);
    // From archive to archive.
    assert_counts(import_ok(third, first), 3, 0, 2, 0);
    g_free(after);
    after = export_of(third, again);
    assert_same(before, after);
    folder_free(folder);
}

// The tables themselves are the same, not only what is exported of them.
static void same_tables(void)
{
    static const char *const tables[] = {
        "source", "source_tag",   "skipped",     "run",          "run_tag",     "metric",
        "series", "series_point", "wait_sample", "environment",  "profile",     "thread",
        "frame",  "stack_block",  "sample",      "sample_extra", "side_record", "profile_function",
    };
    char *folder = folder_new();
    g_autofree char *first = in_folder(folder, "first.db");
    g_autofree char *second = in_folder(folder, "second.db");
    g_autofree char *third = in_folder(folder, "third.db");
    fill_archive(first);
    // Twice through, so that texts have come in the same order and have the same numbers.
    assert_counts(import_ok(second, first), 3, 0, 2, 0);
    assert_counts(import_ok(third, second), 3, 0, 2, 0);
    sqlite3 *db;
    g_assert_cmpint(sqlite3_open(second, &db), ==, SQLITE_OK);
    g_autofree char *attach = g_strdup_printf("ATTACH '%s' AS other", third);
    g_assert_cmpint(sqlite3_exec(db, attach, NULL, NULL, NULL), ==, SQLITE_OK);
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
        g_autofree char *sql = g_strdup_printf(
            "SELECT (SELECT count(*) FROM main.%1$s), (SELECT count(*) FROM (SELECT * FROM main."
            "%1$s EXCEPT SELECT * FROM other.%1$s UNION ALL SELECT * FROM (SELECT * FROM other."
            "%1$s EXCEPT SELECT * FROM main.%1$s)))",
            tables[i]);
        sqlite3_stmt *statement;
        g_assert_cmpint(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), ==, SQLITE_OK);
        g_assert_cmpint(sqlite3_step(statement), ==, SQLITE_ROW);
        if (sqlite3_column_int(statement, 0) == 0 || sqlite3_column_int(statement, 1) != 0)
            g_error("%s: %d rows, %d differ", tables[i], sqlite3_column_int(statement, 0),
                    sqlite3_column_int(statement, 1));
        sqlite3_finalize(statement);
    }
    sqlite3_close(db);
    folder_free(folder);
}

static void refuse(const char *archive, const char *from, const char *text, int code,
                   const char *words)
{
    GError *error = NULL;
    struct archive_import_counts counts;
    if (text)
        g_assert_true(g_file_set_contents(from, text, -1, NULL));
    struct archive *a = open_ok(archive, ARCHIVE_WRITE);
    g_assert_false(archive_import(a, from, &counts, &error));
    g_assert_error(error, SPINFAULT_ERROR, code);
    if (!strstr(error->message, words))
        g_error("'%s' does not say '%s'", error->message, words);
    g_clear_error(&error);
    archive_close(a);
}

static void bad_lines(void)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", ":0: nothing"},
        {"hello\n", ":1: "},
        {"{\"type\":\"run\"}\n", ":1: not a line"},
        {"{\"type\":\"archive\",\"format\":1}\n", "the end is missing"},
        {"{\"type\":\"archive\",\"format\":1}\n{\"type\":\"run\"}\n", ":2: a line out of place"},
        {"{\"type\":\"archive\",\"format\":1}\n{\"type\":\"dream\"}\n", ":2: a line of an unknown"},
        {"{\"type\":\"archive\",\"format\":1}\n{\"type\":\"source\"}\n", ":2: a source without"},
        {"{\"type\":\"archive\",\"format\":1}\n"
         "{\"type\":\"source\",\"path\":\"x\",\"format\":\"y\"}\n"
         "{\"type\":\"sample\",\"event\":1,\"thread\":1,\"node\":0}\n",
         ":3: a sample of an event"},
        {"{\"type\":\"archive\",\"format\":1}\n"
         "{\"type\":\"source\",\"path\":\"x\",\"format\":\"y\"}\n"
         "{\"type\":\"node\",\"parent\":3,\"frame\":1}\n",
         ":3: a stack of a frame"},
        {"{\"type\":\"archive\",\"format\":1}\n"
         "{\"type\":\"source\",\"path\":\"x\",\"format\":\"y\"}\n"
         "{\"type\":\"run\",\"benchmark\":\"b\",\"status\":\"fine\"}\n",
         ":3: a run without a status"},
        {"{\"type\":\"archive\",\"format\":1}\n"
         "{\"type\":\"source\",\"path\":\"x\",\"format\":\"y\"}\n"
         "{\"type\":\"run\",\"benchmark\":\"b\",\"status\":\"complete\"}\n",
         "the end is missing"},
    };
    char *folder = folder_new();
    g_autofree char *archive = in_folder(folder, "a.db");
    g_autofree char *lines = in_folder(folder, "x.jsonl");
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        refuse(archive, lines, cases[i].text, SPINFAULT_ERROR_DAMAGED, cases[i].words);
    refuse(archive, lines, "{\"type\":\"archive\",\"format\":2}\n", SPINFAULT_ERROR_NEWER, "newer");
    g_autofree char *endless = g_strnfill(LIMIT_LINE_BYTES + 1, 'x');
    refuse(archive, lines, endless, SPINFAULT_ERROR_LIMIT, "LIMIT_LINE_BYTES");
    refuse(archive, "/no/such/file", NULL, SPINFAULT_ERROR_NOT_FOUND, "/no/such/file");
    refuse(archive, folder, NULL, SPINFAULT_ERROR_IO, folder);
    folder_free(folder);
}

// An export cut anywhere: sources before the cut are whole, the one it is in is absent.
static void cut(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *first = in_folder(folder, "first.db");
    g_autofree char *second = in_folder(folder, "second.db");
    g_autofree char *lines = in_folder(folder, "lines.jsonl");
    fill_archive(first);
    g_autofree char *text = export_of(first, lines);
    size_t len = strlen(text);
    for (int i = 0; i < 40; i++) {
        gint32 at = g_test_rand_int_range(0, (gint32)len - 1);
        g_assert_true(g_file_set_contents(lines, text, at, NULL));
        struct archive_import_counts counts;
        struct archive *a = open_ok(second, ARCHIVE_WRITE);
        g_assert_false(archive_import(a, lines, &counts, &error));
        g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED);
        g_clear_error(&error);
        g_autoptr(GPtrArray) problems = archive_verify(a, &error);
        g_assert_no_error(error);
        g_assert_cmpuint(problems->len, ==, 0);
        archive_close(a);
        g_unlink(second);
    }
    folder_free(folder);
}

// What can be saved of a damaged archive is saved, and what can't is named.
static void salvage(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    g_autofree char *saved = in_folder(folder, "saved.db");
    g_autofree char *lines = in_folder(folder, "lines.jsonl");
    fill_archive(path);
    run_sql(path, "UPDATE stack_block SET data = x'01' WHERE source_id = 2;"
                  "PRAGMA ignore_check_constraints = ON;"
                  "UPDATE section SET scope = 'odd' WHERE scan_id = 1");
    struct archive *a = open_ok(path, ARCHIVE_READ);
    FILE *out = fopen(lines, "w");
    g_assert_nonnull(out);
    g_assert_false(archive_export(a, out, NULL, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED);
    g_clear_error(&error);
    fclose(out);
    out = fopen(lines, "w");
    g_assert_nonnull(out);
    g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);
    assert_ok(archive_export(a, out, left_out, &error), error);
    fclose(out);
    archive_close(a);
    g_assert_cmpuint(left_out->len, ==, 2);
    g_assert_true(g_str_has_prefix(left_out->pdata[0], "source 2: "));
    g_assert_true(g_str_has_prefix(left_out->pdata[1], "scan 1: "));
    assert_counts(import_ok(saved, lines), 2, 0, 1, 0);
    folder_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/move/round-trip", round_trip);
    g_test_add_func("/db/move/same-tables", same_tables);
    g_test_add_func("/db/move/bad-lines", bad_lines);
    g_test_add_func("/db/move/cut", cut);
    g_test_add_func("/db/move/salvage", salvage);
    return g_test_run();
}
