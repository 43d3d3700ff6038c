// Results of scans, kept for the next one. Nobody but the analyzer knows what is in them; here they
// are bytes under a key, and the oldest go when there are too many.
#include "query.h"

#define FRESH_S 86400 // a use is written down again only after a day: reading stays reading

// An archive that was only read may be of a time when there was no cache.
static bool has_table(struct archive *archive)
{
    int64_t there = 0;
    return archive->db &&
           archive_number(archive, "SELECT count(*) FROM sqlite_schema WHERE name = 'scan_cache'",
                          &there, NULL) &&
           there;
}

bool archive_cache_get(struct archive *archive, const char *key, GBytes **value, GError **error)
{
    GBytes *found = NULL;
    *value = NULL;
    if (!has_table(archive))
        return true;
    struct query q;
    query_begin(&q, archive, "SELECT value FROM scan_cache WHERE key = ?");
    query_text(&q, key);
    while (query_row(&q)) {
        struct slice s = query_get_slice(&q, 0);
        g_clear_pointer(&found, g_bytes_unref);
        found = g_bytes_new(s.data, s.len);
    }
    if (!query_end(&q, error)) {
        g_clear_pointer(&found, g_bytes_unref);
        return false;
    }
    *value = found;
    return true;
}

static bool put_one(struct archive *archive, const struct archive_cache_row *row, int64_t now,
                    GError **error)
{
    struct query q;
    if (!row->value) {
        query_begin(&q, archive, "UPDATE scan_cache SET used = ? WHERE key = ? AND used < ?");
        query_int(&q, now);
        query_text(&q, row->key);
        query_int(&q, now - FRESH_S);
        return query_run(&q, error);
    }
    size_t bytes;
    const void *data = g_bytes_get_data(row->value, &bytes);
    query_begin(&q, archive,
                "INSERT OR REPLACE INTO scan_cache (key, used, bytes, value) VALUES (?, ?, ?, ?)");
    query_text(&q, row->key);
    query_int(&q, now);
    query_int(&q, (int64_t)bytes);
    query_blob(&q, data, bytes);
    return query_run(&q, error);
}

// Those not used for the longest time go, until a tenth of the room is free.
static bool make_room(struct archive *archive, uint64_t limit, GError **error)
{
    int64_t total = 0;
    if (!archive_number(archive, "SELECT coalesce(sum(bytes), 0) FROM scan_cache", &total, error))
        return false;
    if ((uint64_t)total <= limit)
        return true;
    uint64_t kept = limit - limit / 10, sum = 0;
    g_autoptr(GArray) old = g_array_new(false, false, sizeof(int64_t));
    struct query q;
    query_begin(&q, archive, "SELECT rowid, bytes FROM scan_cache ORDER BY used DESC, rowid DESC");
    while (query_row(&q)) {
        int64_t id = query_get_int(&q, 0);
        sum += (uint64_t)query_get_int(&q, 1);
        if (sum > kept)
            g_array_append_val(old, id);
    }
    if (!query_end(&q, error))
        return false;
    for (guint i = 0; i < old->len; i++) {
        query_begin(&q, archive, "DELETE FROM scan_cache WHERE rowid = ?");
        query_int(&q, g_array_index(old, int64_t, i));
        if (!query_run(&q, error))
            return false;
    }
    return true;
}

bool archive_cache_put(struct archive *archive, const struct archive_cache_row *rows, size_t n,
                       uint64_t limit, GError **error)
{
    int64_t now = g_get_real_time() / G_USEC_PER_SEC;
    if (n == 0)
        return true;
    if (!archive_begin(archive, error))
        return false;
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++)
        ok = put_one(archive, &rows[i], now, error);
    if (ok && make_room(archive, limit, error))
        return archive_commit(archive, error);
    archive_rollback(archive);
    return false;
}
