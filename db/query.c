// Statements: prepare, bind, step, read.
#include "query.h"

#include <math.h>

static int prepare(struct query *q, const char *sql, unsigned flags)
{
    return sqlite3_prepare_v3(q->archive->db, sql, -1, flags, &q->statement, NULL);
}

void query_begin(struct query *q, struct archive *archive, const char *sql)
{
    *q = (struct query){.archive = archive, .status = SQLITE_OK};
    if (!archive->db)
        return;
    q->statement = g_hash_table_lookup(archive->statements, sql);
    if (q->statement) {
        g_assert(!sqlite3_stmt_busy(q->statement));
        sqlite3_clear_bindings(q->statement);
        return;
    }
    q->status = prepare(q, sql, SQLITE_PREPARE_PERSISTENT);
    if (q->status == SQLITE_OK)
        g_hash_table_insert(archive->statements, (gpointer)sql, q->statement);
}

void query_begin_text(struct query *q, struct archive *archive, const char *sql)
{
    *q = (struct query){.archive = archive, .status = SQLITE_OK, .finalize = true};
    if (archive->db)
        q->status = prepare(q, sql, 0);
}

static bool ready(const struct query *q)
{
    return q->statement && q->status == SQLITE_OK;
}

void query_int(struct query *q, int64_t value)
{
    if (ready(q))
        q->status = sqlite3_bind_int64(q->statement, ++q->bound, value);
}

void query_int_if(struct query *q, bool there, int64_t value)
{
    if (there)
        query_int(q, value);
    else
        query_text(q, NULL);
}

void query_real(struct query *q, double value)
{
    if (isnan(value))
        query_text(q, NULL);
    else if (ready(q))
        q->status = sqlite3_bind_double(q->statement, ++q->bound, value);
}

void query_text(struct query *q, const char *text)
{
    if (ready(q))
        q->status = sqlite3_bind_text(q->statement, ++q->bound, text, -1, SQLITE_TRANSIENT);
}

void query_slice(struct query *q, struct slice s)
{
    if (!ready(q))
        return;
    if (!s.data)
        q->status = sqlite3_bind_null(q->statement, ++q->bound);
    else if (g_utf8_validate_len(s.data, s.len, NULL))
        q->status = sqlite3_bind_text64(q->statement, ++q->bound, s.data, s.len, SQLITE_TRANSIENT,
                                        SQLITE_UTF8);
    else
        q->status = sqlite3_bind_blob64(q->statement, ++q->bound, s.data, s.len, SQLITE_TRANSIENT);
}

void query_blob(struct query *q, const void *data, size_t len)
{
    if (ready(q))
        q->status = sqlite3_bind_blob64(q->statement, ++q->bound, data, len, SQLITE_TRANSIENT);
}

bool query_row(struct query *q)
{
    if (!ready(q))
        return false;
    int rc = sqlite3_step(q->statement);
    if (rc == SQLITE_ROW)
        return true;
    q->status = rc == SQLITE_DONE ? SQLITE_OK : rc;
    return false;
}

bool query_end(struct query *q, GError **error)
{
    bool ok = q->status == SQLITE_OK;
    if (!ok)
        archive_failed(q->archive, q->archive->mode == ARCHIVE_READ ? "read" : "use", error);
    if (q->finalize)
        sqlite3_finalize(q->statement);
    else if (q->statement)
        sqlite3_reset(q->statement);
    q->statement = NULL;
    return ok;
}

bool query_run(struct query *q, GError **error)
{
    while (query_row(q))
        ;
    return query_end(q, error);
}

int64_t query_get_int(const struct query *q, int column)
{
    return sqlite3_column_int64(q->statement, column);
}

bool query_is_null(const struct query *q, int column)
{
    return sqlite3_column_type(q->statement, column) == SQLITE_NULL;
}

int64_t query_get_int_or(const struct query *q, int column, int64_t otherwise)
{
    return query_is_null(q, column) ? otherwise : query_get_int(q, column);
}

double query_get_real(const struct query *q, int column)
{
    return query_is_null(q, column) ? NAN : sqlite3_column_double(q->statement, column);
}

struct slice query_get_slice(const struct query *q, int column)
{
    if (query_is_null(q, column))
        return SLICE_NULL;
    const char *data = sqlite3_column_blob(q->statement, column);
    // SQLite gives NULL for an empty value; a null slice would say that there is none.
    return (struct slice){data ? data : "", (size_t)sqlite3_column_bytes(q->statement, column)};
}

char *query_get_text(const struct query *q, int column)
{
    struct slice s = query_get_slice(q, column);
    if (!s.data)
        return NULL;
    if (sqlite3_column_type(q->statement, column) == SQLITE_TEXT)
        return g_strndup(s.data, s.len);
    return g_utf8_make_valid(s.data, (gssize)s.len);
}
