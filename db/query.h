// A prepared statement in use. Statements are prepared once per archive and kept; values are bound
// in the order of the question marks, and no value ever becomes SQL text.
//
//     struct query q;
//     query_begin(&q, archive, "SELECT …  WHERE id = ?");
//     query_int(&q, id);
//     while (query_row(&q))
//         … query_get_int(&q, 0) …
//     return query_end(&q, error);
//
// An error stops the rows and is told by query_end, which must always be called.
#ifndef SPINFAULT_DB_QUERY_H
#define SPINFAULT_DB_QUERY_H

#include "handle.h"

struct query {
    struct archive *archive;
    sqlite3_stmt *statement;
    int bound;
    int status;    // of SQLite
    bool finalize; // it is not kept
};

// `sql` is a string literal: its address is what the statement is kept by. An archive that is not
// created yet has no rows.
void query_begin(struct query *q, struct archive *archive, const char *sql);
// The same for text that was put together from literals; it is not kept.
void query_begin_text(struct query *q, struct archive *archive, const char *sql);

void query_int(struct query *q, int64_t value);
void query_int_if(struct query *q, bool there, int64_t value); // else NULL
void query_real(struct query *q, double value);                // NAN: NULL
void query_text(struct query *q, const char *text);            // NULL: NULL
void query_blob(struct query *q, const void *data, size_t len);
void query_slice(struct query *q, struct slice s); // text, or a blob when it is not valid UTF-8

bool query_row(struct query *q);
bool query_end(struct query *q, GError **error);
// For a statement without rows: steps and ends.
bool query_run(struct query *q, GError **error);

int64_t query_get_int(const struct query *q, int column);
bool query_is_null(const struct query *q, int column);
int64_t query_get_int_or(const struct query *q, int column, int64_t otherwise);
double query_get_real(const struct query *q, int column);        // NULL: NAN
struct slice query_get_slice(const struct query *q, int column); // lent until the next row
// A copy, always valid UTF-8: bytes that are not are shown as U+FFFD. NULL for NULL.
char *query_get_text(const struct query *q, int column);

#endif
