// history for a terminal: a sparkline for each series, a mark below it at each change, and a line
// that says what changed.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "history_output.h"
#include "spinfault/base.h"
#include "spinfault/format.h"

#define INDENT 2u

static char *time_text(const struct history_series *series, size_t i)
{
    const struct history_point *p = &series->points[i];
    char *text = p->t_ns == INT64_MIN ? NULL : text_from_time(p->t_ns);
    if (text && strlen(text) >= 16) {
        text[10] = ' ';
        text[16] = '\0';
    }
    if (text)
        return text;
    return p->run_id ? g_strdup_printf("run %" G_GINT64_FORMAT, p->run_id)
                     : g_strdup_printf("value %zu", i + 1);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The median of the points from … to − 1.
static double middle(const struct history_series *series, size_t from, size_t to)
{
    g_autofree double *x = g_new(double, to - from);
    for (size_t i = from; i < to; i++)
        x[i - from] = series->points[i].value;
    qsort(x, to - from, sizeof *x, compare_doubles);
    size_t n = to - from;
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

// Points of a column: as many columns as points, or as there is room for.
static size_t column_start(const struct history_series *series, size_t columns, size_t column)
{
    return (size_t)((uint64_t)column * series->n / columns);
}

static void print_sparkline(const struct history_series *series, size_t columns)
{
    static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    g_autoptr(GArray) all = g_array_sized_new(FALSE, TRUE, sizeof(double), (guint)columns);
    double *y = &g_array_index(g_array_set_size(all, (guint)columns), double, 0);
    double lo = INFINITY, hi = -INFINITY;
    for (size_t c = 0; c < columns; c++) {
        y[c] =
            middle(series, column_start(series, columns, c), column_start(series, columns, c + 1));
        lo = fmin(lo, y[c]);
        hi = fmax(hi, y[c]);
    }
    printf("%*s", INDENT, "");
    for (size_t c = 0; c < columns; c++) {
        double part = hi > lo ? (y[c] - lo) / (hi - lo) : 0.5;
        printf("%s", bars[(size_t)fmin(7, floor(part * 8))]);
    }
    printf("\n");
}

static const char *symbol(const struct history_change *c)
{
    return c->provisional ? "?" : c->verdict == VERDICT_NONE ? "^" : verdict_symbol(c->verdict);
}

static void print_marks(const struct history_series *series, size_t columns)
{
    g_autoptr(GString) line = g_string_new(NULL);
    size_t next = 0;
    for (size_t c = 0; c < columns && next < series->n_changes; c++) {
        const char *mark = NULL;
        while (next < series->n_changes &&
               series->changes[next].at < column_start(series, columns, c + 1))
            mark = symbol(&series->changes[next++]);
        g_string_append(line, mark ? mark : " ");
    }
    printf("%*s%s\n", INDENT, "", line->str);
}

static void print_change(const struct history_series *series, const struct history_change *c)
{
    const struct history_point *before = &series->points[c->at - 1],
                               *after = &series->points[c->at];
    g_autofree char *when = time_text(series, c->at);
    g_autofree char *from = format_with_unit(c->before, series->unit);
    g_autofree char *to = format_with_unit(c->after, series->unit);
    g_autofree char *ratio = format_ratio(c->ratio);
    g_autofree char *p = format_p(c->p);
    printf("%*s%s %s  %s → %s, %s", INDENT, "", symbol(c), when, from, to, ratio);
    if (!isnan(c->lo))
        printf(" (%.3g – %.3g)", c->lo, c->hi);
    printf(", p %s%s\n", p, c->provisional ? ", provisional" : "");
    if (before->version && after->version && strcmp(before->version, after->version) != 0)
        printf("%*s%s → %s\n", INDENT + 2, "", before->version, after->version);
}

static void print_series(const struct history_series *series)
{
    static const char *const better[] = {[BETTER_UNKNOWN] = "",
                                         [BETTER_HIGHER] = ", higher is better",
                                         [BETTER_LOWER] = ", lower is better"};
    g_autofree char *title = history_title(series);
    g_autofree char *first = time_text(series, 0);
    g_autofree char *last = time_text(series, series->n - 1);
    size_t columns = MIN(series->n, (size_t)columns_width() - (size_t)2 * INDENT);
    size_t outliers = 0;
    for (size_t i = 0; i < series->n; i++)
        outliers += series->points[i].outlier;
    printf("%s%s\n", title, better[series->better]);
    print_sparkline(series, columns);
    if (series->n_changes)
        print_marks(series, columns);
    printf("%*s%zu runs, %s to %s", INDENT, "", series->n, first, last);
    if (outliers)
        printf("; %zu far from %s level", outliers, outliers == 1 ? "its" : "their");
    printf("%s\n", series->n_changes ? "" : "; no change of level");
    if (series->left_out)
        printf("%*s%zu older runs were not looked at.\n", INDENT, "", series->left_out);
    for (size_t i = 0; i < series->n_changes; i++)
        print_change(series, &series->changes[i]);
    printf("\n");
}

bool history_print_text(const struct history_result *result, GError **error)
{
    (void)error;
    size_t changes = 0, provisional = 0;
    for (guint i = 0; i < result->series->len; i++) {
        const struct history_series *series = g_ptr_array_index(result->series, i);
        print_series(series);
        changes += series->n_changes;
        for (size_t k = 0; k < series->n_changes; k++)
            provisional += series->changes[k].provisional;
    }
    printf("%u series, %zu change%s", result->series->len, changes, changes == 1 ? "" : "s");
    if (provisional)
        printf(", %zu of them provisional", provisional);
    if (result->too_short)
        printf("; %u series with fewer than %u runs left out", result->too_short, HISTORY_LEAST);
    printf(". Gate: %s.\n", history_gate(result));
    return true;
}
