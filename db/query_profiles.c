// Which profiles there are.
#include "query.h"
#include "tags.h"

static void profile_row_free(gpointer p)
{
    struct profile_row *r = p;
    g_free(r->path);
    g_free(r->event);
    if (r->tags)
        g_hash_table_unref(r->tags);
    g_free(r);
}

GPtrArray *archive_profiles(struct archive *archive, GError **error)
{
    GPtrArray *profiles = g_ptr_array_new_with_free_func(profile_row_free);
    struct tag_cache cache = {0};
    struct query q;
    bool ok = true;
    query_begin(&q, archive,
                "SELECT p.id, p.source_id, s.path, e.text, p.samples, p.weight, s.lost "
                "FROM profile p JOIN source s ON s.id = p.source_id "
                "LEFT JOIN string e ON e.id = p.event_id "
                "ORDER BY p.source_id, p.weight DESC, p.id");
    while (ok && query_row(&q)) {
        struct profile_row *r = g_new0(struct profile_row, 1);
        g_ptr_array_add(profiles, r);
        r->id = query_get_int(&q, 0);
        r->source_id = query_get_int(&q, 1);
        r->path = query_get_text(&q, 2);
        r->event = query_get_text(&q, 3);
        r->samples = (uint64_t)query_get_int(&q, 4);
        r->weight = (uint64_t)query_get_int(&q, 5);
        r->lost = (uint64_t)query_get_int(&q, 6);
        r->tags = tag_cache_get(&cache, archive, r->source_id, error);
        ok = r->tags != NULL;
    }
    ok = query_end(&q, ok ? error : NULL) && ok;
    tag_cache_clear(&cache);
    if (!ok)
        g_clear_pointer(&profiles, g_ptr_array_unref);
    return profiles;
}
