// Tags by source.
#include "tags.h"

#include <string.h>

GHashTable *tags_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

static void put(GHashTable *tags, const char *key, char *value)
{
    char page[8];
    const char *mode = strcmp(key, "preempt") == 0 ? preempt_parse(value) : NULL;
    if (strcmp(key, "page") == 0 && page_parse(value, page, NULL))
        mode = page;
    if (mode) {
        g_free(value);
        value = g_strdup(mode);
    }
    if (g_hash_table_contains(tags, key))
        g_free(value);
    else
        g_hash_table_insert(tags, g_strdup(key), value);
}

static bool read_pairs(struct query *q, GHashTable *tags, GError **error)
{
    while (query_row(q)) {
        g_autofree char *key = query_get_text(q, 0);
        put(tags, key, query_get_text(q, 1));
    }
    return query_end(q, error);
}

static bool read_run(struct archive *archive, int64_t run_id, GHashTable *tags, GError **error)
{
    static const char *const names[] = {
        "benchmark", "workload", "host",    "instance", "arch",       "vcpus",     "kernel",
        "preempt",   "page",     "clients", "threads",  "page_asked", "page_kind",
    };
    struct query q;
    query_begin(&q, archive,
                "SELECT w.benchmark, w.name, h.name, h.instance, h.arch, h.vcpus, k.text, "
                "r.preempt, r.page, r.clients, r.threads, r.page_asked, r.page_kind "
                "FROM run r JOIN workload w ON w.id = r.workload_id "
                "LEFT JOIN host h ON h.id = r.host_id LEFT JOIN string k ON k.id = r.kernel_id "
                "WHERE r.id = ?");
    query_int(&q, run_id);
    while (query_row(&q))
        for (int i = 0; i < (int)G_N_ELEMENTS(names); i++)
            if (!query_is_null(&q, i))
                put(tags, names[i], query_get_text(&q, i));
    if (!query_end(&q, error))
        return false;
    query_begin(&q, archive,
                "SELECT k.text, v.text FROM run_tag t JOIN string k ON k.id = t.key_id "
                "JOIN string v ON v.id = t.value_id WHERE t.run_id = ?");
    query_int(&q, run_id);
    return read_pairs(&q, tags, error);
}

static bool read_source(struct archive *archive, int64_t source_id, GHashTable *tags,
                        GError **error)
{
    struct query q;
    query_begin(&q, archive,
                "SELECT k.text, v.text FROM source_tag t JOIN string k ON k.id = t.key_id "
                "JOIN string v ON v.id = t.value_id WHERE t.source_id = ?");
    query_int(&q, source_id);
    if (!read_pairs(&q, tags, error))
        return false;
    int64_t run_id = 0;
    unsigned n = 0;
    query_begin(&q, archive, "SELECT id FROM run WHERE source_id = ? LIMIT 2");
    query_int(&q, source_id);
    for (; query_row(&q); n++)
        run_id = query_get_int(&q, 0);
    return query_end(&q, error) && (n != 1 || read_run(archive, run_id, tags, error));
}

GHashTable *tags_of_source(struct archive *archive, int64_t source_id, GError **error)
{
    GHashTable *tags = tags_new();
    if (read_source(archive, source_id, tags, error))
        return tags;
    g_hash_table_unref(tags);
    return NULL;
}

GHashTable *tag_cache_get(struct tag_cache *cache, struct archive *archive, int64_t source_id,
                          GError **error)
{
    if (!cache->tags || cache->source_id != source_id) {
        tag_cache_clear(cache);
        cache->tags = tags_of_source(archive, source_id, error);
        cache->source_id = source_id;
    }
    return cache->tags ? g_hash_table_ref(cache->tags) : NULL;
}

void tag_cache_clear(struct tag_cache *cache)
{
    g_clear_pointer(&cache->tags, g_hash_table_unref);
}
