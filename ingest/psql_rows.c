// Rows while a table of psql is read.
#include "psql_rows.h"

#include "number.h"
#include "server_table.h"

struct psql_rows *psql_rows_new(size_t columns)
{
    struct psql_rows *rows = g_new0(struct psql_rows, 1);
    rows->columns = columns;
    rows->announced = -1;
    rows->cells = g_ptr_array_new_with_free_func(g_free);
    rows->lines = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    return rows;
}

void psql_rows_free(struct psql_rows *rows)
{
    if (!rows)
        return;
    g_ptr_array_unref(rows->cells);
    g_array_unref(rows->lines);
    g_free(rows);
}

size_t psql_rows_count(const struct psql_rows *rows)
{
    return rows->lines->len;
}

void psql_rows_begin(struct psql_rows *rows, uint64_t line)
{
    g_array_append_val(rows->lines, line);
    for (size_t i = 0; i < rows->columns; i++)
        g_ptr_array_add(rows->cells, g_strdup(""));
}

void psql_rows_drop(struct psql_rows *rows)
{
    guint last = rows->lines->len - 1;
    rows->odd = g_array_index(rows->lines, uint64_t, last);
    g_array_set_size(rows->lines, last);
    g_ptr_array_set_size(rows->cells, (int)(last * rows->columns));
}

static char **cell_at(const struct psql_rows *rows, size_t row, size_t column)
{
    return (char **)&rows->cells->pdata[row * rows->columns + column];
}

const char *psql_rows_cell(const struct psql_rows *rows, size_t row, size_t column)
{
    return *cell_at(rows, row, column);
}

// A piece that was wrapped keeps its blanks: they are part of the value.
void psql_rows_append(struct psql_rows *rows, size_t column, enum psql_more joint,
                      struct slice text)
{
    char **cell = cell_at(rows, psql_rows_count(rows) - 1, column);
    g_autofree char *piece = slice_dup(text);
    if (joint == MORE_NEWLINE)
        g_strchomp(*cell);
    char *joined = g_strconcat(*cell, joint == MORE_NEWLINE ? "\n" : "", piece, NULL);
    g_free(*cell);
    *cell = joined;
}

struct wait_columns {
    size_t row, type, count; // a row that has a type; its column; that of the counts
};

static bool is_count_column(const struct psql_rows *rows, size_t column)
{
    uint64_t count;
    for (size_t row = 0; row < psql_rows_count(rows); row++)
        if (!number_count(slice_from(psql_rows_cell(rows, row, column)), &count))
            return false;
    return true;
}

// The last column of whole numbers that is neither type nor event.
static bool find_waits(const struct psql_rows *rows, struct wait_columns *w)
{
    for (w->row = 0; w->row < psql_rows_count(rows); w->row++)
        for (w->type = 0; w->type + 1 < rows->columns; w->type++)
            if (is_wait_event_type(slice_trim(slice_from(psql_rows_cell(rows, w->row, w->type)))))
                for (w->count = rows->columns; w->count-- > 0;)
                    if (is_count_column(rows, w->count))
                        return true;
    return false;
}

static bool is_state(const char *cell)
{
    struct slice s = slice_trim(slice_from(cell));
    return slice_is(s, "active") || slice_is(s, "disabled") || slice_starts(s, "idle");
}

bool psql_rows_has_waits(const struct psql_rows *rows)
{
    struct wait_columns w;
    return find_waits(rows, &w);
}

// The types of events tell a table of waits; its columns are named by what stands around them.
bool psql_rows_invent_header(struct psql_rows *rows)
{
    size_t n = rows->columns;
    struct wait_columns w;
    if (!find_waits(rows, &w))
        return false;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (size_t i = 0; i < n; i++) {
        const char *cell = psql_rows_cell(rows, w.row, i);
        cell += strspn(cell, " ");
        const char *name = i == w.type                                           ? "wait_event_type"
                           : i == w.type + 1                                     ? "wait_event"
                           : i == w.count                                        ? "count"
                           : i == w.type + 2 || is_state(cell)                   ? "state"
                           : i + 1 == w.type && *cell && !g_ascii_isdigit(*cell) ? "backend_type"
                           : i == 0                                              ? "ts"
                                                                                 : "other";
        g_ptr_array_add(names, (char *)name);
    }
    for (size_t i = 0; i < n; i++)
        g_ptr_array_insert(rows->cells, (int)i, g_strdup(names->pdata[i]));
    uint64_t line = g_array_index(rows->lines, uint64_t, 0);
    g_array_prepend_val(rows->lines, line);
    rows->headless = false;
    return true;
}

struct table *psql_rows_finish(struct psql_rows *rows)
{
    struct table *t = g_new0(struct table, 1);
    GString *store = g_string_new(NULL);
    for (guint i = 0; i < rows->cells->len; i++)
        g_string_append_printf(store, "%s%c", (char *)rows->cells->pdata[i], '\0');
    size_t at = 0;
    t->text = g_string_free(store, FALSE);
    t->cells = g_array_new(FALSE, FALSE, sizeof(struct slice));
    for (guint i = 0; i < rows->cells->len; i++) {
        size_t len = strlen(rows->cells->pdata[i]);
        struct slice cell = slice_trim((struct slice){t->text + at, len});
        g_array_append_val(t->cells, cell);
        at += len + 1;
    }
    t->lines = g_array_ref(rows->lines);
    t->columns = rows->columns;
    t->rows = rows->lines->len > 0 ? rows->lines->len - 1 : 0;
    t->delimiter = '|';
    psql_rows_free(rows);
    return t;
}
