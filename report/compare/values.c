// Numbers, one a line.
#include "compare/values.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spinfault/base.h"

#define LINE_MOST  1000u // bytes; a number has fewer
#define SHOWN_MOST 40u

// The number of a line: true with NAN for a line without one.
static bool read_number(const char *line, size_t length, double *value)
{
    const char *comment = memchr(line, '#', length);
    struct slice text =
        slice_trim((struct slice){line, comment ? (size_t)(comment - line) : length});
    *value = NAN;
    return text.len == 0 || slice_to_double(text, value);
}

// The next line without its end; false at the end of the file or when it cannot be read.
static bool next_line(FILE *in, GString *line)
{
    int c = EOF;
    g_string_truncate(line, 0);
    while (!feof(in) && !ferror(in) && line->len <= LINE_MOST) {
        c = getc(in);
        if (c == EOF || c == '\n')
            break;
        g_string_append_c(line, (char)c);
    }
    return c != EOF || line->len;
}

static bool read_lines(FILE *in, const char *name, GArray *values, GError **error)
{
    g_autoptr(GString) line = g_string_new(NULL);
    for (uint64_t number = 1; next_line(in, line); number++) {
        double value;
        if (line->len > LINE_MOST || !read_number(line->str, line->len, &value)) {
            g_autofree char *shown =
                text_printable((struct slice){line->str, MIN(line->len, (size_t)SHOWN_MOST)});
            return error_set(error, SPINFAULT_ERROR_DAMAGED,
                             "%s:%" G_GUINT64_FORMAT ": \"%s%s\" is no number; write one number a "
                             "line, with a point for decimals",
                             name, number, shown, line->len > SHOWN_MOST ? "…" : "");
        }
        if (isnan(value))
            continue;
        if (values->len == LIMIT_COMPARE_VALUES)
            return error_set(error, SPINFAULT_ERROR_LIMIT,
                             "%s:%" G_GUINT64_FORMAT ": more than %u numbers; a comparison needs "
                             "far fewer",
                             name, number, LIMIT_COMPARE_VALUES);
        g_array_append_val(values, value);
    }
    return ferror(in) ? error_from_errno(error, errno, "read", name) : true;
}

const char *values_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

bool values_read(const char *path, GArray *values, GError **error)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *in = standard ? stdin : fopen(path, "r");
    if (!in)
        return error_from_errno(error, errno, "open", path);
    bool ok = read_lines(in, values_name(path), values, error);
    if (!standard)
        fclose(in);
    if (ok && !values->len)
        return error_set(error, SPINFAULT_ERROR_DAMAGED,
                         "%s has no numbers; write one a line, of one run each", values_name(path));
    return ok;
}
