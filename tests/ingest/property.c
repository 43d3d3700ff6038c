// Rounds of properties.
#include "property.h"

#include "spinfault/base.h"

#include <archive.h>
#include <archive_entry.h>
#include <math.h>

static guint rounds = 150;
static guint32 first_seed = 1;

unsigned gen_below(struct gen *g, unsigned n)
{
    return (unsigned)g_rand_int_range(g->rand, 0, (gint32)n);
}

bool gen_maybe(struct gen *g)
{
    return gen_below(g, 2);
}

double gen_between(struct gen *g, double low, double high)
{
    return g_rand_double_range(g->rand, low, high);
}

static void each_round(gconstpointer data)
{
    property each = *(const property *)data;
    for (guint i = 0; i < rounds; i++) {
        struct gen g = {.seed = first_seed + i, .text = g_string_new(NULL)};
        g.rand = g_rand_new_with_seed(g.seed);
        each(&g);
        g_rand_free(g.rand);
        g_string_free(g.text, TRUE);
    }
}

void property_add(const char *name, property each)
{
    property *kept = g_new(property, 1);
    *kept = each;
    g_test_add_data_func_full(name, kept, each_round, g_free);
}

int property_main(int argc, char **argv, void (*add)(void))
{
    const char *seed = NULL;
    while (argc > 2 && (strcmp(argv[1], "--rounds") == 0 || strcmp(argv[1], "--first") == 0)) {
        if (argv[1][2] == 'r')
            rounds = (guint)g_ascii_strtoull(argv[2], NULL, 10);
        else
            seed = argv[2];
        argv[2] = argv[0];
        argv += 2;
        argc -= 2;
    }
    if (seed)
        first_seed = (guint32)g_ascii_strtoull(seed, NULL, 10);
    g_test_init(&argc, &argv, NULL);
    add();
    return g_test_run();
}

G_NORETURN static void fail(struct gen *g, const char *facts, const char *what)
{
    g_error("--rounds 1 --first %u: %s\n--- text\n%s\n--- facts\n%s", g->seed, what, g->text->str,
            facts ? facts : "(refused)");
}

static GString *with_crlf(const char *text)
{
    GString *s = g_string_new(text);
    g_string_replace(s, "\n", "\r\n", 0);
    return s;
}

static GString *as_utf16(const char *text)
{
    glong n;
    g_autofree gunichar2 *units = g_utf8_to_utf16(text, -1, NULL, &n, NULL);
    GString *s = g_string_new_len("\xFF\xFE", 2);
    for (glong i = 0; i < n; i++) {
        g_string_append_c(s, (char)(units[i] & 0xFF));
        g_string_append_c(s, (char)(units[i] >> 8));
    }
    return s;
}

static GString *as_gzip(const char *text)
{
    size_t used = 0, room = strlen(text) + 4096;
    g_autofree char *buffer = g_malloc(room);
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    archive_write_add_filter_gzip(a);
    archive_write_set_format_raw(a);
    g_assert_cmpint(archive_write_open_memory(a, buffer, room, &used), ==, ARCHIVE_OK);
    archive_entry_set_filetype(entry, AE_IFREG);
    g_assert_cmpint(archive_write_header(a, entry), ==, ARCHIVE_OK);
    archive_write_data(a, text, strlen(text));
    archive_entry_free(entry);
    archive_write_close(a);
    GString *s = g_string_new_len(buffer, (gssize)used);
    archive_write_free(a);
    return s;
}

char *gen_facts(struct gen *g, enum dress dress, char **refused)
{
    GString *data = dress == DRESS_CRLF    ? with_crlf(g->text->str)
                    : dress == DRESS_GZIP  ? as_gzip(g->text->str)
                    : dress == DRESS_UTF16 ? as_utf16(g->text->str)
                                           : g_string_new(g->text->str);
    if (dress == DRESS_BOM)
        g_string_prepend(data, "\xEF\xBB\xBF");
    g_autofree char *path = write_file("input", data->str, data->len);
    g_autoptr(GError) error = NULL;
    char *facts = facts_of(path, 0, NULL, &error);
    if (refused)
        *refused = error ? g_strdup(error->message) : NULL;
    else if (error)
        fail(g, NULL, error->message);
    g_string_free(data, TRUE);
    return facts;
}

void gen_expect(struct gen *g, const char *facts, const char *holds)
{
    if (!strstr(facts, holds))
        fail(g, facts, holds);
}

void gen_expect_not(struct gen *g, const char *facts, const char *text)
{
    if (strstr(facts, text))
        fail(g, facts, text);
}

static bool close_to(double a, double b)
{
    return fabs(a - b) <= 1e-12 * MAX(fabs(a), fabs(b));
}

// The value behind `key` in any line; all of them must be `value`.
static void expect_value(struct gen *g, const char *facts, const char *key, double value)
{
    const char *at = strstr(facts, key);
    if (!at || strncmp(at + strlen(key), "null", 4) == 0 ||
        !close_to(g_ascii_strtod(at + strlen(key), NULL), value)) {
        g_autofree char *what = g_strdup_printf("%s should be %.17g", key, value);
        fail(g, facts, what);
    }
}

void gen_expect_metric(struct gen *g, const char *facts, const char *name, double value)
{
    g_autofree char *key = g_strdup_printf("{\"type\":\"metric\",\"name\":\"%s\",\"value\":", name);
    expect_value(g, facts, key, value);
}

void gen_expect_series(struct gen *g, const char *facts, const char *name, double t, double value)
{
    g_autofree char *time = text_double(t);
    g_autofree char *key =
        g_strdup_printf("{\"type\":\"series\",\"name\":\"%s\",\"t\":%s,\"value\":", name, time);
    expect_value(g, facts, key, value);
}

void gen_expect_count(struct gen *g, const char *facts, const char *text, unsigned n)
{
    if (count_lines(facts, text) != n) {
        g_autofree char *what = g_strdup_printf("%s should come %u times", text, n);
        fail(g, facts, what);
    }
}

void gen_expect_dressed(struct gen *g, const char *facts)
{
    enum dress dress = 1 + gen_below(g, DRESSES - 1);
    g_autofree char *same = gen_facts(g, dress, NULL);
    if (strcmp(facts, same) != 0)
        fail(g, same,
             dress == DRESS_CRLF    ? "other facts with CR LF"
             : dress == DRESS_GZIP  ? "other facts from gzip"
             : dress == DRESS_UTF16 ? "other facts from UTF-16"
                                    : "other facts with a byte order mark");
}
