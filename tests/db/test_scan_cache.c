// What scans keep: found again, bounded, and no fact.
#include "support.h"

#include <sqlite3.h>
#include <string.h>

static char *export_text(struct archive *archive)
{
    g_autoptr(GError) error = NULL;
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    assert_ok(archive_export(archive, out, NULL, &error), error);
    fclose(out);
    char *copy = g_strdup(text);
    free(text);
    return copy;
}

static void put(struct archive *archive, const char *key, size_t bytes, uint64_t limit)
{
    g_autoptr(GError) error = NULL;
    char *data = g_malloc(bytes);
    memset(data, key[0], bytes);
    g_autoptr(GBytes) value = g_bytes_new_take(data, bytes);
    const struct archive_cache_row row = {key, value};
    assert_ok(archive_cache_put(archive, &row, 1, limit, &error), error);
}

static size_t bytes_of(struct archive *archive, const char *key)
{
    g_autoptr(GError) error = NULL;
    GBytes *value = NULL;
    assert_ok(archive_cache_get(archive, key, &value, &error), error);
    size_t n = 0;
    const char *data = value ? g_bytes_get_data(value, &n) : NULL;
    g_assert_true(n == 0 || data[n - 1] == key[0]);
    g_clear_pointer(&value, g_bytes_unref);
    return n;
}

static void kept(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    g_autoptr(GError) error = NULL;
    struct archive *archive = open_ok(path, ARCHIVE_WRITE);
    g_assert_cmpuint(bytes_of(archive, "a"), ==, 0); // there is no file yet
    put(archive, "a", 100, 1000);
    put(archive, "b", 10, 1000);
    put(archive, "b", 20, 1000);
    g_assert_cmpuint(bytes_of(archive, "a"), ==, 100);
    g_assert_cmpuint(bytes_of(archive, "b"), ==, 20);
    g_assert_cmpuint(bytes_of(archive, "c"), ==, 0);
    archive_close(archive);

    archive = open_ok(path, ARCHIVE_READ);
    g_assert_cmpuint(bytes_of(archive, "a"), ==, 100);
    const struct archive_cache_row row = {"a", NULL};
    g_assert_false(archive_cache_put(archive, &row, 1, 1000, &error));
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_USAGE);
    archive_close(archive);
    folder_free(folder);
}

static void oldest_go(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    g_autoptr(GError) error = NULL;
    struct archive *archive = open_ok(path, ARCHIVE_WRITE);
    put(archive, "a", 300, 1000);
    put(archive, "b", 300, 1000);
    put(archive, "c", 300, 1000);
    // As if all were of the day before yesterday, and `a` were used again.
    const struct archive_cache_row used = {"a", NULL};
    archive_close(archive);
    run_sql(path, "UPDATE scan_cache SET used = used - 200000");
    archive = open_ok(path, ARCHIVE_WRITE);
    assert_ok(archive_cache_put(archive, &used, 1, 1000, &error), error);
    put(archive, "d", 300, 1000);
    g_assert_cmpuint(bytes_of(archive, "a"), ==, 300);
    g_assert_cmpuint(bytes_of(archive, "b"), ==, 0);
    g_assert_cmpuint(bytes_of(archive, "c"), ==, 300);
    g_assert_cmpuint(bytes_of(archive, "d"), ==, 300);
    archive_close(archive);
    folder_free(folder);
}

// A rebuild empties it; an export does not know it.
static void no_fact(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    g_autofree char *before = NULL, *after = NULL;
    g_autoptr(GError) error = NULL;
    static const char *const fingerprints[] = {"0123456789abcdef", NULL};
    struct archive *archive = open_ok(path, ARCHIVE_WRITE);
    feed_scan(archive, "/src", 1000, fingerprints);
    before = export_text(archive);
    put(archive, "a", 300, 1000);
    after = export_text(archive);
    g_assert_cmpstr(before, ==, after);
    g_autoptr(GPtrArray) problems = archive_verify(archive, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(problems->len, ==, 0);
    assert_ok(archive_rebuild(archive, &error), error);
    g_assert_cmpuint(bytes_of(archive, "a"), ==, 0);
    archive_close(archive);
    folder_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/scan-cache/kept", kept);
    g_test_add_func("/db/scan-cache/oldest-go", oldest_go);
    g_test_add_func("/db/scan-cache/no-fact", no_fact);
    return g_test_run();
}
