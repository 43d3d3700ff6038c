// All formats, one a row.
//
// How to add a format:
//  1. Write NAME.c with a `const struct ingest_format format_NAME = {...}`: detect() looks at the
//     first bytes and gives a score; parse() takes lines from in->reader with reader_next() and
//     delivers facts through context.h. What it does not understand goes to ingest_skip(); a number
//     that is missing is NAN with a reason, never 0.
//  2. Add it to formats_list.h, which declares and lists it, and to CMakeLists.txt.
//  3. Describe it in docs/formats.md, and give tests/ingest/ a sample that you compose.
#include "formats.h"

#include "refused.h"

#define FORMAT(name) extern const struct ingest_format format_##name;
#include "formats_list.h"
#undef FORMAT

#define FORMAT(name) &format_##name,
const struct ingest_format *const ingest_format_table[] = {
#include "formats_list.h"
};
#undef FORMAT
const size_t ingest_format_count = G_N_ELEMENTS(ingest_format_table);

bool head_line(struct slice *rest, struct slice *line)
{
    if (rest->len == 0)
        return false;
    const char *nl = memchr(rest->data, '\n', rest->len);
    size_t len = nl ? (size_t)(nl - rest->data) : rest->len;
    *line = (struct slice){rest->data, len};
    rest->data += nl ? len + 1 : len;
    rest->len -= nl ? len + 1 : len;
    if (line->len > 0 && line->data[line->len - 1] == '\r')
        line->len--;
    return true;
}

static char *names(void)
{
    GString *all = g_string_new(NULL);
    for (size_t i = 0; i < ingest_format_count; i++)
        g_string_append_printf(all, "%s%s", i ? ", " : "", ingest_format_table[i]->name);
    return g_string_free(all, FALSE);
}

static const struct ingest_format *by_name(const char *name, GError **error)
{
    for (size_t i = 0; i < ingest_format_count; i++)
        if (strcmp(ingest_format_table[i]->name, name) == 0)
            return ingest_format_table[i];
    g_autofree char *known = names();
    error_set(error, SPINFAULT_ERROR_UNKNOWN, "there is no format \"%s\"; there are %s", name,
              known);
    return NULL;
}

static bool is_binary(struct slice head)
{
    size_t odd = 0;
    for (size_t i = 0; i < head.len; i++) {
        unsigned char c = (unsigned char)head.data[i];
        if (c == 0)
            return true;
        odd += c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b;
    }
    return odd > head.len / 20;
}

static void no_format(const char *path, struct slice head, GError **error)
{
    if (is_binary(head)) {
        error_set(error, SPINFAULT_ERROR_UNKNOWN,
                  "%s is a binary file of no known format; export it as text first", path);
        return;
    }
    g_autofree char *known = names();
    error_set(error, SPINFAULT_ERROR_UNKNOWN,
              "%s is of no known format (looked for %s); if it is one of them, say which with "
              "--as FORMAT",
              path, known);
}

const struct ingest_format *format_find(const char *name, const char *path, struct slice head,
                                        GError **error)
{
    if (head.len == 0) {
        error_set(error, SPINFAULT_ERROR_DAMAGED, "%s is empty; there is nothing to ingest", path);
        return NULL;
    }
    if (name)
        return by_name(name, error);
    const struct ingest_format *best = NULL;
    int best_score = 0;
    for (size_t i = 0; i < ingest_format_count; i++) {
        int score = ingest_format_table[i]->detect(head);
        if (score > best_score) {
            best = ingest_format_table[i];
            best_score = score;
        }
    }
    // A weak match may be another program's output that is known not to be read.
    const char *why = best_score < 50 ? refused_why(head) : NULL;
    if (why)
        error_set(error, SPINFAULT_ERROR_UNKNOWN, "%s %s", path, why);
    else if (!best)
        no_format(path, head, error);
    return why ? NULL : best;
}
