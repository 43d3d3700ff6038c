// What the tests of ingest share.
#include "support.h"

#include "context.h"
#include "print_facts.h"

#include <glib/gstdio.h>
#include <unistd.h>

static char *folder;

static void remove_folder(void)
{
    const char *name;
    GDir *dir = g_dir_open(folder, 0, NULL);
    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_unlink(path);
    }
    if (dir)
        g_dir_close(dir);
    g_rmdir(folder);
    g_free(folder);
}

char *write_file(const char *name, const void *data, size_t len)
{
    if (!folder) {
        folder = g_dir_make_tmp("spinfault-ingest-XXXXXX", NULL);
        g_assert_nonnull(folder);
        atexit(remove_folder);
    }
    char *path = g_build_filename(folder, name, NULL);
    FILE *out = fopen(path, "wb");
    g_assert_nonnull(out);
    g_assert_cmpuint(fwrite(data, 1, len, out), ==, len);
    g_assert_cmpint(fclose(out), ==, 0);
    return path;
}

char *write_text(const char *name, const char *text)
{
    return write_file(name, text, strlen(text));
}

static bool no_summary(void *context, const struct source_summary *summary, bool ok, GError **error)
{
    (void)context;
    (void)summary;
    (void)ok;
    (void)error;
    return true;
}

char *facts_of(const char *path, size_t chunk, const char *format, GError **error)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    const struct fact_sink *printer = print_facts_new(out);
    struct fact_sink sink = *printer;
    struct ingest_options options = {.format = format};
    sink.source_end = no_summary;
    struct reader *reader = reader_open(path, chunk, NULL, NULL, error);
    bool ok = reader && ingest_reader(reader, path, &options, &sink, NULL, error);
    print_facts_free(printer);
    fclose(out);
    char *facts = ok ? g_strdup(text) : NULL;
    free(text);
    return facts;
}

char *facts_of_text(const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = write_text("input.txt", text);
    char *facts = facts_of(path, 0, NULL, &error);
    g_assert_no_error(error);
    return facts;
}

unsigned count_lines(const char *facts, const char *text)
{
    unsigned n = 0;
    g_auto(GStrv) lines = g_strsplit(facts, "\n", -1);
    for (char **line = lines; *line; line++)
        n += strstr(*line, text) != NULL;
    return n;
}

void assert_holds(const char *facts, const char *text)
{
    if (!strstr(facts, text))
        g_test_message("not in the facts: %s\n%s", text, facts);
    g_assert_nonnull(strstr(facts, text));
}

char *error_of_text(const char *text, const char *format)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = write_text("input.txt", text);
    g_autofree char *facts = facts_of(path, 0, format, &error);
    g_assert_null(facts);
    g_assert_nonnull(error);
    g_assert_null(strchr(error->message, '\n'));
    return g_strdup(error->message);
}

char *shared_folder(const char *name)
{
    const char *shared = g_getenv("SPINFAULT_SHARED");
    g_autofree char *beside = g_build_filename(SPINFAULT_SOURCE_DIR, "..", "shared", NULL);
    char *path = g_build_filename(shared ? shared : beside, name, NULL);
    if (g_file_test(path, G_FILE_TEST_IS_DIR))
        return path;
    g_free(path);
    g_test_skip("shared/ is not here: set SPINFAULT_SHARED");
    return NULL;
}
