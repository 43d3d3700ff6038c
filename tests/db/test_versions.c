// An archive of every version there was, as the program of its time made it, is read and brought up
// to date by this one: no fact is lost, and it ends with the schema of a new archive.
#include "migrate.h"
#include "support.h"

#include <glib/gstdio.h>

static char *stored(int version, const char *suffix)
{
    return g_strdup_printf("%s/tests/data/db/v%d.%s", SPINFAULT_SOURCE_DIR, version, suffix);
}

// Unpacks the stored archive of a version into the folder.
static char *unpack(const char *folder, int version)
{
    g_autofree char *name = g_strdup_printf("v%d.db", version);
    g_autofree char *packed = stored(version, "db.gz");
    char *path = in_folder(folder, name);
    g_autofree char *command = g_strdup_printf("sh -c 'gzip -dc \"%s\" >\"%s\"'", packed, path);
    GError *error = NULL;
    int status;
    assert_ok(g_spawn_command_line_sync(command, NULL, NULL, &status, &error), error);
    assert_ok(g_spawn_check_wait_status(status, &error), error);
    return path;
}

// What sqlite_schema says, without comments and layout.
static char *schema_of(const char *path)
{
    GString *out = g_string_new(NULL);
    sqlite3 *db;
    sqlite3_stmt *statement;
    g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
    g_assert_cmpint(sqlite3_prepare_v2(db,
                                       "SELECT type || ' ' || name || ' ' || coalesce(sql, '') "
                                       "FROM sqlite_schema ORDER BY type, name",
                                       -1, &statement, NULL),
                    ==, SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        g_auto(GStrv) lines = g_strsplit((const char *)sqlite3_column_text(statement, 0), "\n", -1);
        for (char **line = lines; *line; line++) {
            char *comment = strstr(*line, "--");
            if (comment)
                *comment = '\0';
            g_auto(GStrv) words = g_strsplit_set(*line, " ", -1);
            for (char **word = words; *word; word++)
                if (**word)
                    g_string_append_printf(out, "%s ", *word);
        }
        g_string_append_c(out, '\n');
    }
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return g_string_free(out, false);
}

// A reader takes the newest version only, and says what to do with an older one.
static void read_only(const char *path, int version)
{
    GError *error = NULL;
    struct archive *a = archive_open(path, ARCHIVE_READ, &error);
    if (version < ARCHIVE_VERSION) {
        g_assert_null(a);
        g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_UNAVAILABLE);
        g_assert_nonnull(strstr(error->message, "archive rebuild"));
        g_clear_error(&error);
        return;
    }
    assert_ok(a != NULL, error);
    archive_close(a);
}

static void assert_sound(struct archive *a)
{
    GError *error = NULL;
    g_autoptr(GPtrArray) problems = archive_verify(a, &error);
    g_assert_no_error(error);
    if (problems->len)
        g_error("%s", (char *)problems->pdata[0]);
}

static void list(struct archive *a)
{
    GError *error = NULL;
    struct archive_counts counts;
    assert_ok(archive_count(a, &counts, &error), error);
    g_assert_cmpint(counts.schema_version, ==, ARCHIVE_VERSION);
    g_assert_cmpuint(counts.sources, ==, 3);
    g_assert_cmpuint(counts.scans, ==, 2);
    g_assert_cmpuint(counts.samples, ==, 42);
    const char *const lazy[] = {"preempt=lazy", NULL};
    const struct run_filter filter = {lazy, INT64_MIN};
    g_autoptr(GPtrArray) runs = archive_runs(a, NULL, &error);
    g_autoptr(GPtrArray) some = archive_runs(a, &filter, &error);
    g_autoptr(GPtrArray) lives = archive_finding_lives(a, NULL, &error);
    g_autoptr(GPtrArray) profiles = archive_profiles(a, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(runs->len, ==, 4);
    g_assert_cmpuint(some->len, >, 0);
    g_assert_cmpuint(some->len, <, runs->len);
    g_assert_cmpuint(lives->len, ==, 2);
    g_assert_cmpuint(profiles->len, ==, 4);
    struct stack_tree *tree =
        archive_stack_tree(a, ((struct profile_row *)profiles->pdata[0])->id, &error);
    assert_ok(tree != NULL, error);
    g_assert_cmpuint(tree->n, >, 5);
    stack_tree_free(tree);
}

static void every_version(void)
{
    char *folder = folder_new();
    g_autofree char *fresh = in_folder(folder, "fresh.db");
    g_autofree char *lines = in_folder(folder, "lines.jsonl");
    struct archive *a = open_ok(fresh, ARCHIVE_WRITE);
    feed_runs(a, "fresh");
    archive_close(a);
    g_autofree char *newest = schema_of(fresh);
    for (int version = 1; version <= ARCHIVE_VERSION; version++) {
        g_autofree char *path = unpack(folder, version);
        g_autofree char *facts = stored(version, "jsonl");
        g_autofree char *expected = NULL;
        g_assert_true(g_file_get_contents(facts, &expected, NULL, NULL));
        g_assert_cmpint(number_in(path, "PRAGMA user_version"), ==, version);
        read_only(path, version);
        a = open_ok(path, ARCHIVE_WRITE);
        assert_sound(a);
        list(a);
        archive_close(a);
        g_autofree char *schema = schema_of(path);
        assert_same(schema, newest);
        g_autofree char *exported = export_of(path, lines);
        assert_same(exported, expected);
        // And it goes on.
        a = open_ok(path, ARCHIVE_WRITE);
        feed_runs(a, "new");
        feed_profile(a, "new too", 100);
        feed_scan(a, "/src/pg", 3000, (const char *const[]){"bb22", NULL});
        assert_sound(a);
        archive_close(a);
        assert_counts(import_ok(fresh, path), 5, 0, 3, 0);
        g_assert_cmpint(g_unlink(fresh), ==, 0);
    }
    folder_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/versions/every-version", every_version);
    return g_test_run();
}
