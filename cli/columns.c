// Tables for a terminal.
#include "columns.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { GAP = 2, NARROW = 12, INDENT = 2 };

struct columns {
    GStrv heads;
    guint n;
    GPtrArray *cells; // char*, row by row
};

struct columns *columns_new(const char *const *heads)
{
    struct columns *c = g_new0(struct columns, 1);
    c->heads = g_strdupv((char **)heads);
    c->n = g_strv_length(c->heads);
    c->cells = g_ptr_array_new_with_free_func(g_free);
    return c;
}

void columns_add(struct columns *c, char *const *cells)
{
    for (guint i = 0; i < c->n; i++)
        g_ptr_array_add(c->cells, cells[i] ? cells[i] : g_strdup("-"));
}

static const char *head_text(const char *head)
{
    return head + strspn(head, ">~^/");
}

static guint length(const char *text)
{
    return (guint)g_utf8_strlen(text, -1);
}

// `kind` is the head's first character.
static void add_cell(GString *line, const char *text, guint width, char kind)
{
    guint n = length(text);
    if (line->len)
        g_string_append_printf(line, "%*s", GAP, "");
    if (n <= width) {
        g_string_append_printf(line, "%*s%s%*s", kind == '>' ? (int)(width - n) : 0, "", text,
                               kind == '>' ? 0 : (int)(width - n), "");
    } else if (kind == '^') {
        g_autofree char *start = g_utf8_substring(text, 0, (glong)width - 1);
        g_string_append_printf(line, "%s…", start);
    } else {
        g_string_append_printf(line, "…%s",
                               g_utf8_offset_to_pointer(text, (glong)n - (glong)width + 1));
    }
}

static void print_line(const struct columns *c, const guint *widths, char *const *cells)
{
    g_autoptr(GString) line = g_string_new(NULL);
    for (guint i = 0; i < c->n; i++)
        add_cell(line, cells == c->heads ? head_text(cells[i]) : cells[i], widths[i],
                 c->heads[i][0]);
    printf("%s\n", g_strchomp(line->str));
}

static guint total_width(const struct columns *c, const guint *widths)
{
    guint total = GAP * (c->n - 1);
    for (guint i = 0; i < c->n; i++)
        total += widths[i];
    return total;
}

// Takes from the columns that give way what the line has too much.
static void fit(const struct columns *c, guint *widths, unsigned width)
{
    guint total = total_width(c, widths);
    for (guint i = c->n; width && i-- > 0 && total > width;) {
        guint least = MIN(widths[i], (guint)NARROW);
        guint take = MIN(total - width, widths[i] - least);
        if (c->heads[i][0] != '~' && c->heads[i][0] != '^')
            continue;
        widths[i] -= take;
        total -= take;
    }
}

// The first column on lines of its own: a row is what it holds, and below it the rest.
static void print_above(const struct columns *c, guint *widths)
{
    g_autofree char **cells = g_new(char *, c->n);
    widths[0] = INDENT;
    for (guint i = 0; i + c->n <= c->cells->len; i += c->n) {
        memcpy(cells, &c->cells->pdata[i], c->n * sizeof *cells);
        if (i == 0) {
            char *head = c->heads[0];
            c->heads[0] = (char *)"";
            print_line(c, widths, c->heads);
            c->heads[0] = head;
        }
        printf("%s\n", cells[0]);
        cells[0] = (char *)"";
        print_line(c, widths, cells);
    }
}

void columns_print(struct columns *c, unsigned width)
{
    g_assert(c->n > 0);
    g_autoptr(GArray) array = g_array_sized_new(FALSE, TRUE, sizeof(guint), c->n);
    guint *widths = &g_array_index(g_array_set_size(array, c->n), guint, 0);
    for (guint i = 0; i < c->n; i++)
        widths[i] = length(head_text(c->heads[i]));
    for (guint i = 0; i < c->cells->len; i++)
        widths[i % c->n] = MAX(widths[i % c->n], length(c->cells->pdata[i]));
    fit(c, widths, width);
    if (c->heads[0][0] == '/' && width && total_width(c, widths) > width) {
        print_above(c, widths);
    } else {
        if (c->cells->len)
            print_line(c, widths, c->heads);
        for (guint i = 0; i + c->n <= c->cells->len; i += c->n)
            print_line(c, widths, (char *const *)&c->cells->pdata[i]);
    }
    g_strfreev(c->heads);
    g_ptr_array_unref(c->cells);
    g_free(c);
}

unsigned columns_width(void)
{
    struct winsize size;
    const char *columns = g_getenv("COLUMNS");
    guint64 width;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    if (columns && g_ascii_string_to_unsigned(columns, 10, 20, 10000, &width, NULL))
        return (unsigned)width;
    return 80;
}
