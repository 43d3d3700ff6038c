// What is opened, what is made, and what is refused in a sentence.
#include "migrate.h"
#include "support.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_file(const char *path, const char *text, gssize len)
{
    g_assert_true(g_file_set_contents(path, text, len, NULL));
}

// Opening fails with `code` and a message that has `words`; the file is as it was.
static void refuse(const char *path, enum archive_mode mode, int code, const char *words)
{
    GError *error = NULL;
    g_autofree char *before = NULL, *after = NULL;
    gsize before_len = 0, after_len = 0;
    g_file_get_contents(path, &before, &before_len, NULL);
    struct archive *archive = archive_open(path, mode, &error);
    g_assert_null(archive);
    g_assert_error(error, SPINFAULT_ERROR, code);
    if (!strstr(error->message, words) || !strstr(error->message, path))
        g_error("'%s' does not say '%s' of %s", error->message, words, path);
    g_assert_false(g_str_has_suffix(error->message, "."));
    g_error_free(error);
    g_file_get_contents(path, &after, &after_len, NULL);
    g_assert_cmpmem(before, before_len, after, after_len);
}

static void nothing_there(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "none.db");
    g_autofree char *link = in_folder(folder, "link.db");
    g_autofree char *deep = in_folder(folder, "no/such/folder/a.db");
    refuse(path, ARCHIVE_READ, SPINFAULT_ERROR_NOT_FOUND, "there is no archive");
    g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
    g_assert_cmpint(symlink("/nowhere/at/all", link), ==, 0);
    refuse(link, ARCHIVE_READ, SPINFAULT_ERROR_NOT_FOUND, "symbolic link to /nowhere/at/all");
    refuse(link, ARCHIVE_WRITE, SPINFAULT_ERROR_NOT_FOUND, "symbolic link to /nowhere/at/all");
    g_autoptr(GError) error = NULL;
    g_assert_null(archive_open(deep, ARCHIVE_WRITE, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_NOT_FOUND);
    g_assert_nonnull(strstr(error->message, "no/such/folder"));
    folder_free(folder);
}

static void not_an_archive(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "x.db");
    refuse(folder, ARCHIVE_READ, SPINFAULT_ERROR_DAMAGED, "is a directory");
    refuse(folder, ARCHIVE_WRITE, SPINFAULT_ERROR_DAMAGED, "is a directory");
    write_file(path, "tps = 17\n", -1);
    refuse(path, ARCHIVE_READ, SPINFAULT_ERROR_DAMAGED, "not a spinfault archive");
    refuse(path, ARCHIVE_WRITE, SPINFAULT_ERROR_DAMAGED, "not a spinfault archive");
    // As an encrypted one looks.
    char noise[8192];
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)g_test_rand_int();
    noise[0] = '\x07';
    write_file(path, noise, sizeof noise);
    refuse(path, ARCHIVE_READ, SPINFAULT_ERROR_DAMAGED, "encrypted");
    g_assert_cmpint(unlink(path), ==, 0);
    g_assert_cmpint(mkfifo(path, 0600), ==, 0);
    g_autoptr(GError) error = NULL;
    g_assert_null(archive_open(path, ARCHIVE_READ, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED);
    folder_free(folder);
}

static void of_other_origin(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "places.sqlite");
    run_sql(path, "CREATE TABLE bookmarks (url TEXT)");
    refuse(path, ARCHIVE_READ, SPINFAULT_ERROR_DAMAGED, "of another program");
    g_autofree char *archive = in_folder(folder, "a.db");
    struct archive *a = open_ok(archive, ARCHIVE_WRITE);
    feed_runs(a, "one");
    archive_close(a);
    g_autofree char *bump = g_strdup_printf("PRAGMA user_version = %d", ARCHIVE_VERSION + 1);
    run_sql(archive, bump);
    refuse(archive, ARCHIVE_READ, SPINFAULT_ERROR_NEWER, "newer spinfault");
    refuse(archive, ARCHIVE_WRITE, SPINFAULT_ERROR_NEWER, "newer spinfault");
    folder_free(folder);
}

static void not_allowed(void)
{
    if (geteuid() == 0) {
        g_test_skip("root may read everything");
        return;
    }
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "one");
    archive_close(a);
    g_assert_cmpint(g_chmod(path, 0), ==, 0);
    GError *error = NULL;
    g_assert_null(archive_open(path, ARCHIVE_READ, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_IO);
    g_clear_error(&error);
    g_assert_cmpint(g_chmod(path, 0400), ==, 0);
    g_assert_null(archive_open(path, ARCHIVE_WRITE, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_IO);
    g_clear_error(&error);
    // Read where nothing can be written.
    g_assert_cmpint(g_chmod(folder, 0500), ==, 0);
    a = open_ok(path, ARCHIVE_READ);
    g_autoptr(GPtrArray) runs = archive_runs(a, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(runs->len, ==, 3);
    archive_close(a);
    g_assert_cmpint(g_chmod(folder, 0700), ==, 0);
    folder_free(folder);
}

// A writer that writes nothing makes nothing; a reader leaves nothing and changes nothing.
static void leaves_nothing(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    g_autoptr(GPtrArray) none = archive_runs(a, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(none->len, ==, 0);
    struct archive_counts counts;
    assert_ok(archive_count(a, &counts, &error), error);
    g_assert_cmpuint(counts.sources, ==, 0);
    archive_close(a);
    g_assert_cmpuint(folder_entries(folder), ==, 0);

    a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "one");
    archive_close(a);
    g_assert_cmpuint(folder_entries(folder), ==, 1);
    g_autofree char *before = NULL, *after = NULL;
    gsize before_len, after_len;
    g_assert_true(g_file_get_contents(path, &before, &before_len, NULL));
    a = open_ok(path, ARCHIVE_READ);
    g_autoptr(GPtrArray) runs = archive_runs(a, NULL, &error);
    g_assert_no_error(error);
    const struct fact_sink *sink = archive_sink(a);
    g_assert_false(
        sink_source_begin(sink, &(struct source_fact){.path = "x", .format = "csv"}, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_USAGE);
    g_clear_error(&error);
    archive_close(a);
    g_assert_cmpuint(folder_entries(folder), ==, 1);
    g_assert_true(g_file_get_contents(path, &after, &after_len, NULL));
    g_assert_cmpmem(before, before_len, after, after_len);
    folder_free(folder);
}

// Names that SQLite could take for something else.
static void odd_names(void)
{
    g_autofree char *here = g_get_current_dir();
    char *folder = folder_new();
    g_assert_cmpint(g_chdir(folder), ==, 0);
    static const char *const names[] = {"file:a.db", ":memory:", "a b?mode=ro.db", "-x.db"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        struct archive *a = open_ok(names[i], ARCHIVE_WRITE);
        feed_runs(a, "one");
        archive_close(a);
        g_assert_true(g_file_test(names[i], G_FILE_TEST_IS_REGULAR));
        archive_close(open_ok(names[i], ARCHIVE_READ));
    }
    g_assert_cmpint(g_chdir(here), ==, 0);
    folder_free(folder);
}

// A writer was killed while it made the file.
static void unborn(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    for (int pass = 0; pass < 2; pass++) {
        write_file(path, "", 0);
        if (pass)
            run_sql(path, "PRAGMA journal_mode = WAL");
        struct archive *a = open_ok(path, ARCHIVE_READ);
        g_autoptr(GPtrArray) runs = archive_runs(a, NULL, &error);
        g_assert_no_error(error);
        g_assert_cmpuint(runs->len, ==, 0);
        g_autoptr(GPtrArray) problems = archive_verify(a, &error);
        g_assert_no_error(error);
        g_assert_cmpuint(problems->len, ==, 0);
        archive_close(a);
        a = open_ok(path, ARCHIVE_WRITE);
        feed_runs(a, "one");
        archive_close(a);
        g_assert_cmpint(number_in(path, "SELECT count(*) FROM run"), ==, 3);
        g_assert_cmpint(g_unlink(path), ==, 0);
    }
    folder_free(folder);
}

static void network(void)
{
    g_assert_cmpstr(archive_network_name(0x6969), ==, "NFS");
    g_assert_cmpstr(archive_network_name((long)(int)0xff534d42), ==, "CIFS");
    g_assert_cmpstr(archive_network_name(0xfe534d42), ==, "SMB2");
    g_assert_null(archive_network_name(0xef53));     // ext4
    g_assert_null(archive_network_name(0x01021994)); // tmpfs
}

static bool add_column(struct archive *archive, GError **error)
{
    return archive_execute(archive, "ALTER TABLE run ADD COLUMN mood TEXT", error);
}

static bool fail(struct archive *archive, GError **error)
{
    return archive_execute(archive, "CREATE TABLE half (x)", error) &&
           archive_execute(archive, "INSERT INTO nowhere VALUES (1)", error);
}

// Steps run in order and once; one that fails leaves the archive as it was.
static void migrations(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "one");
    const int v = ARCHIVE_VERSION;
    const struct migration broken[] = {{v + 1, "CREATE TABLE first (x)", NULL},
                                       {v + 2, NULL, fail}};
    // archive_inspect refuses what is newer, so the steps are given the version they start from.
    g_assert_false(archive_upgrade_by(a, broken, 2, v + 2, &error));
    g_assert_nonnull(error);
    g_assert_nonnull(strstr(error->message, "migration of"));
    g_clear_error(&error);
    g_assert_cmpint(number_in(path, "PRAGMA user_version"), ==, v);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM sqlite_schema WHERE name IN ('first', "
                                    "'half')"),
                    ==, 0);
    const struct migration good[] = {{v + 1, "CREATE TABLE first (x)", NULL},
                                     {v + 2, NULL, add_column}};
    assert_ok(archive_upgrade_by(a, good, 2, v + 2, &error), error);
    g_assert_cmpint(number_in(path, "PRAGMA user_version"), ==, v + 2);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM schema_history"), ==, v + 2);
    g_assert_cmpint(number_in(path, "SELECT count(mood) FROM run"), ==, 0);
    archive_close(a);
    folder_free(folder);
}

// Views and derived tables of another text are made anew when a writer opens the archive.
static void derived(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_profile(a, "p", 70);
    archive_close(a);
    static const char sums[] = "SELECT sum(self) * 1000 + sum(total_samples) * 10 + count(*) FROM "
                               "profile_function";
    int64_t stored = number_in(path, sums);
    g_assert_cmpint(stored, >, 1000);
    run_sql(path,
            "UPDATE derived SET digest = 'old'; DROP VIEW hot; CREATE VIEW stray AS SELECT 1; "
            "DELETE FROM profile_function");
    archive_close(open_ok(path, ARCHIVE_READ));
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM profile_function"), ==, 0);
    archive_close(open_ok(path, ARCHIVE_WRITE));
    g_assert_cmpint(number_in(path, sums), ==, stored);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM sqlite_schema WHERE name = 'stray'"), ==,
                    0);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM hot"), >, 3);
    folder_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/open/nothing-there", nothing_there);
    g_test_add_func("/db/open/not-an-archive", not_an_archive);
    g_test_add_func("/db/open/of-other-origin", of_other_origin);
    g_test_add_func("/db/open/not-allowed", not_allowed);
    g_test_add_func("/db/open/leaves-nothing", leaves_nothing);
    g_test_add_func("/db/open/odd-names", odd_names);
    g_test_add_func("/db/open/unborn", unborn);
    g_test_add_func("/db/open/network", network);
    g_test_add_func("/db/open/migrations", migrations);
    g_test_add_func("/db/open/derived", derived);
    return g_test_run();
}
