// A table of text: what CSV, psql and their kin are read into.
#ifndef SPINFAULT_INGEST_TABLE_H
#define SPINFAULT_INGEST_TABLE_H

#include "context.h"

struct table {
    char *text;           // owns what the cells point to
    GArray *cells;        // of struct slice, row after row; the first row is the header
    GArray *lines;        // of uint64_t: where each row begins in the file
    size_t columns, rows; // rows without the header
    char delimiter;
};

static inline struct slice table_cell(const struct table *t, size_t row, size_t column)
{
    return g_array_index(t->cells, struct slice, (row + 1) * t->columns + column);
}

static inline struct slice table_name(const struct table *t, size_t column)
{
    return g_array_index(t->cells, struct slice, column);
}

static inline uint64_t table_line(const struct table *t, size_t row)
{
    return g_array_index(t->lines, uint64_t, row + 1);
}

// Index of the column of that name (without case), or -1.
int table_find(const struct table *t, const char *name);

// CSV: `text` is changed in place (quotes are taken off). Rows that have another number of fields
// than the header are reported to `in` (which may be NULL) and left out. Errors: DAMAGED (no
// header, quotes that never end), LIMIT (LIMIT_CSV_COLUMNS).
struct table *table_from_csv(struct ingest *in, char *text, size_t len, GError **error);
// The same for a known delimiter, and with rows that may be shorter than the header: what they lack
// is a null slice.
struct table *table_from_csv_loose(struct ingest *in, char *text, size_t len, char delimiter,
                                   GError **error);
// The delimiter of the text, ',', ';', TAB or '|'; 0 when it is no table.
char csv_delimiter(struct slice text);
void table_free(struct table *t); // accepts NULL

typedef struct table table_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(table_t, table_free)

// The rest of the file as text of the caller's: UTF-8 (what is not is taken for Windows-1252), and
// without the "> " of a quoted message.
bool csv_text(struct ingest *in, char **text, size_t *len, GError **error);

#endif
