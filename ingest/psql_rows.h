// Rows while a table of psql is read.
#ifndef SPINFAULT_INGEST_PSQL_ROWS_H
#define SPINFAULT_INGEST_PSQL_ROWS_H

#include "psql_screen.h"
#include "table.h"

struct psql_rows {
    size_t columns;
    bool headless;    // the first row is no header
    gint64 announced; // rows, by the footer; -1 when there is none
    uint64_t odd;     // line of a row that is not whole and was left out; 0: none
    GPtrArray *cells; // of char *, row after row
    GArray *lines;    // of uint64_t: where each row begins
};

struct psql_rows *psql_rows_new(size_t columns);
void psql_rows_free(struct psql_rows *rows); // accepts NULL
typedef struct psql_rows psql_rows_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(psql_rows_t, psql_rows_free)
size_t psql_rows_count(const struct psql_rows *rows); // with the header
// Begins a row of empty cells.
void psql_rows_begin(struct psql_rows *rows, uint64_t line);
// Puts `text` behind what the last row has in that column.
void psql_rows_append(struct psql_rows *rows, size_t column, enum psql_more joint,
                      struct slice text);
void psql_rows_drop(struct psql_rows *rows); // the last row
const char *psql_rows_cell(const struct psql_rows *rows, size_t row, size_t column);
// Does a column hold types of wait events?
bool psql_rows_has_waits(const struct psql_rows *rows);
// Puts the names that a table of waits has before the rows. False when it looks like none.
bool psql_rows_invent_header(struct psql_rows *rows);
// As a table; the rows are taken over.
struct table *psql_rows_finish(struct psql_rows *rows);

// A table. `at` is the line of the rule below its header, or of its first record or the first line
// of one, and is set behind the table. NULL when there is none.
struct psql_rows *psql_read_aligned(const struct psql_text *text, size_t *at);
struct psql_rows *psql_read_expanded(const struct psql_text *text, size_t *at);
// The lines [from, to) as aligned rows that have neither header nor rule. NULL when they are none.
struct psql_rows *psql_read_bare(const struct psql_text *text, size_t from, size_t to);
// The lines [from, to) as expanded and unaligned, "name|value". NULL when they are not.
struct psql_rows *psql_read_vertical(const struct psql_text *text, size_t from, size_t to);
// The lines [from, to), which are one table and not drawn; `announced` is what its footer says.
struct psql_rows *psql_read_separated(struct ingest *in, const struct psql_text *text, size_t from,
                                      size_t to, gint64 announced, GError **error);
// A title stands before the header, and has no separator in it. Returns the line of the header and
// sets `delimiter`, to 0 when there is none.
size_t psql_skip_titles(const struct psql_text *text, size_t from, size_t to, char *delimiter);

#endif
