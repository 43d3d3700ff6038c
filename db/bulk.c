// Many rows to a statement.
#include "bulk.h"

#include <string.h>

void bulk_init(struct bulk *b, struct archive *archive, const char *head, unsigned columns)
{
    g_assert(columns <= BULK_COLUMNS);
    *b = (struct bulk){.archive = archive, .head = head, .columns = columns};
}

void bulk_clear(struct bulk *b)
{
    sqlite3_finalize(b->many);
    sqlite3_finalize(b->one);
    *b = (struct bulk){0};
}

static sqlite3_stmt *prepare(struct bulk *b, unsigned rows, GError **error)
{
    g_autoptr(GString) sql = g_string_new(b->head);
    g_string_append(sql, " VALUES ");
    for (unsigned r = 0; r < rows; r++) {
        g_string_append(sql, r ? ",(?" : "(?");
        for (unsigned c = 1; c < b->columns; c++)
            g_string_append(sql, ",?");
        g_string_append_c(sql, ')');
    }
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v3(b->archive->db, sql->str, -1, SQLITE_PREPARE_PERSISTENT, &statement,
                           NULL) != SQLITE_OK)
        archive_failed(b->archive, "write", error);
    return statement;
}

static bool step(struct bulk *b, sqlite3_stmt *statement, unsigned first, unsigned rows,
                 GError **error)
{
    int parameter = 0;
    for (unsigned r = first; r < first + rows; r++) {
        const int64_t *values = &b->values[(size_t)r * b->columns];
        for (unsigned c = 0; c < b->columns; c++) {
            parameter++;
            if (b->nulls[r] >> c & 1)
                sqlite3_bind_null(statement, parameter);
            else
                sqlite3_bind_int64(statement, parameter, values[c]);
        }
    }
    bool ok = sqlite3_step(statement) == SQLITE_DONE || archive_failed(b->archive, "write", error);
    sqlite3_reset(statement);
    return ok;
}

bool bulk_flush(struct bulk *b, GError **error)
{
    unsigned n = b->n;
    b->n = 0;
    if (n == 0)
        return true;
    if (n == BULK_ROWS) {
        if (!b->many && !(b->many = prepare(b, BULK_ROWS, error)))
            return false;
        return step(b, b->many, 0, n, error);
    }
    if (!b->one && !(b->one = prepare(b, 1, error)))
        return false;
    for (unsigned r = 0; r < n; r++)
        if (!step(b, b->one, r, 1, error))
            return false;
    return true;
}

bool bulk_add(struct bulk *b, const int64_t *values, unsigned nulls, GError **error)
{
    memcpy(&b->values[(size_t)b->n * b->columns], values, b->columns * sizeof *values);
    b->nulls[b->n] = (uint16_t)nulls;
    return ++b->n < BULK_ROWS || bulk_flush(b, error);
}
