// Two plain files of numbers, one a line. Empty lines and what follows '#' are left out.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "array.h"
#include "compare/result.h"
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

// The next line without its end; false at the end of the file.
static bool next_line(FILE *in, GString *line)
{
    int c;
    g_string_truncate(line, 0);
    while ((c = getc(in)) != EOF && c != '\n' && line->len <= LINE_MOST)
        g_string_append_c(line, (char)c);
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

static bool read_file(const char *path, struct compare_side *side, GError **error)
{
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    FILE *in = standard ? stdin : fopen(path, "r");
    if (!in)
        return error_from_errno(error, errno, "open", path);
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
    bool ok = read_lines(in, name, values, error);
    if (!standard)
        fclose(in);
    if (!ok)
        return false;
    if (!values->len)
        return error_set(error, SPINFAULT_ERROR_DAMAGED,
                         "%s has no numbers; write one a line, of one run each", name);
    side->set = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(side->set, g_strdup("file"));
    g_ptr_array_add(side->set, g_strdup(name));
    side->n = values->len;
    side->values = (double *)(void *)g_array_free(g_steal_pointer(&values), FALSE);
    return true;
}

static bool measure(struct compare_result *result, struct compare_cell *cell, bool paired,
                    GError **error)
{
    const struct compare_side *base = &cell->base, *fresh = &cell->fresh;
    struct comparison c = {0};
    struct pool pool = {0};
    g_autoptr(GArray) aa = g_array_new(FALSE, FALSE, sizeof(double));
    if (paired && base->n != fresh->n)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "--paired needs as many numbers in both files, but there are %zu and %zu",
                         base->n, fresh->n);
    // Two files alone have nothing to pool with: ranks are all there is.
    comparison_clear(&c);
    comparison_measure(&c, &(struct two_samples){base->values, fresh->values, base->n, fresh->n,
                                                 NULL, paired});
    stats_pool_add(&pool, base->values, base->n);
    stats_pool_add(&pool, fresh->values, fresh->n);
    result_judge(result, &c, aa, stats_pool_sd(&pool));
    return true;
}

struct compare_result *compare_files(const struct compare_values *values, GError **error)
{
    struct compare_result *result = result_new(values->threshold);
    struct compare_cell *cell = result_cell(result, "value", "all");
    cell->unit = g_strdup("");
    cell->higher_is_better = !values->lower_is_better;
    if (read_file(values->base, &cell->base, error) &&
        read_file(values->fresh, &cell->fresh, error) &&
        measure(result, cell, values->paired, error))
        return result;
    compare_free(result);
    return NULL;
}
