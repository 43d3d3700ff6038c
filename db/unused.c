// Lookup rows that nothing refers to any more. See unused.h.
#include "unused.h"

// Every table that is only there to be referred to. `string` is last: the others refer to it.
static const char *const lookups[] = {"host", "workload", "metric_kind", "environment_key",
                                      "string"};

// "SELECT c FROM t UNION ALL …" over all columns that refer to `table`, as the schema says.
static char *references_of(struct archive *archive, const char *table, GError **error)
{
    GString *sql = g_string_new(NULL);
    struct query q;
    query_begin(&q, archive,
                "SELECT m.name, k.\"from\" FROM sqlite_schema m, pragma_foreign_key_list(m.name) k"
                " WHERE m.type = 'table' AND k.\"table\" = ? ORDER BY m.name, k.\"from\"");
    query_text(&q, table);
    while (query_row(&q)) {
        g_autofree char *from = query_get_text(&q, 0);
        g_autofree char *column = query_get_text(&q, 1);
        g_string_append_printf(sql, "%sSELECT \"%s\" FROM \"%s\" WHERE \"%s\" IS NOT NULL",
                               sql->len ? " UNION ALL " : "", column, from, column);
    }
    bool ok = query_end(&q, error);
    return g_string_free(sql, !ok);
}

static bool delete_unused(struct archive *archive, const char *table, GError **error)
{
    g_autofree char *references = references_of(archive, table, error);
    if (!references)
        return false;
    if (!*references)
        return true;
    g_autofree char *sql =
        g_strdup_printf("DELETE FROM \"%s\" WHERE id NOT IN (%s)", table, references);
    return archive_execute(archive, sql, error);
}

bool unused_delete(struct archive *archive, GError **error)
{
    for (size_t i = 0; i < G_N_ELEMENTS(lookups); i++) {
        if (!delete_unused(archive, lookups[i], error))
            return false;
    }
    return true;
}
