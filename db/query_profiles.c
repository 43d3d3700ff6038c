// Profiles and their threads.
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

bool archive_profile_span(struct archive *archive, int64_t profile_id, int64_t *first_ns,
                          int64_t *last_ns, GError **error)
{
    struct query q;
    *first_ns = *last_ns = INT64_MIN;
    query_begin(&q, archive,
                "SELECT min(s.time_ns), max(s.time_ns) FROM profile p CROSS JOIN sample s "
                "ON s.source_id = p.source_id AND s.profile_id = p.id WHERE p.id = ?");
    query_int(&q, profile_id);
    while (query_row(&q)) {
        *first_ns = query_get_int_or(&q, 0, INT64_MIN);
        *last_ns = query_get_int_or(&q, 1, INT64_MIN);
    }
    return query_end(&q, error);
}

GArray *archive_profile_times(struct archive *archive, int64_t profile_id, int64_t bucket_ns,
                              size_t most, GError **error)
{
    g_autoptr(GArray) buckets = g_array_new(false, true, sizeof(uint64_t));
    int64_t first, last;
    struct query q;
    if (!archive_profile_span(archive, profile_id, &first, &last, error))
        return NULL;
    if (first == INT64_MIN || bucket_ns <= 0 || most == 0)
        return g_steal_pointer(&buckets);
    query_begin(&q, archive,
                "SELECT (s.time_ns - ?2) / ?3 AS bucket, sum(s.weight) FROM profile p "
                "CROSS JOIN sample s ON s.source_id = p.source_id AND s.profile_id = p.id "
                "WHERE p.id = ?1 AND s.time_ns IS NOT NULL GROUP BY bucket ORDER BY bucket");
    query_int(&q, profile_id);
    query_int(&q, first);
    query_int(&q, bucket_ns);
    while (query_row(&q)) {
        guint at = (guint)MIN((uint64_t)query_get_int(&q, 0), (uint64_t)most - 1);
        if (at >= buckets->len)
            g_array_set_size(buckets, at + 1);
        g_array_index(buckets, uint64_t, at) += (uint64_t)query_get_int(&q, 1);
    }
    return query_end(&q, error) ? g_steal_pointer(&buckets) : NULL;
}

static void thread_row_free(gpointer p)
{
    struct thread_row *t = p;
    g_free(t->comm);
    g_free(t);
}

GPtrArray *archive_threads(struct archive *archive, int64_t profile_id, GError **error)
{
    GPtrArray *threads = g_ptr_array_new_with_free_func(thread_row_free);
    struct query q;
    query_begin(&q, archive,
                "SELECT t.pid, t.tid, c.text, count(*), sum(s.weight) AS weight, min(s.time_ns), "
                "max(s.time_ns) FROM profile p "
                "CROSS JOIN sample s ON s.source_id = p.source_id AND s.profile_id = p.id "
                "JOIN thread t ON t.source_id = s.source_id AND t.id = s.thread "
                "LEFT JOIN string c ON c.id = t.comm_id "
                "WHERE p.id = ? GROUP BY t.id ORDER BY weight DESC, t.id");
    query_int(&q, profile_id);
    while (query_row(&q)) {
        struct thread_row *t = g_new0(struct thread_row, 1);
        t->pid = query_get_int_or(&q, 0, -1);
        t->tid = query_get_int_or(&q, 1, -1);
        t->comm = query_get_text(&q, 2);
        t->samples = (uint64_t)query_get_int(&q, 3);
        t->weight = (uint64_t)query_get_int(&q, 4);
        t->first_ns = query_get_int_or(&q, 5, INT64_MIN);
        t->last_ns = query_get_int_or(&q, 6, INT64_MIN);
        g_ptr_array_add(threads, t);
    }
    if (!query_end(&q, error))
        g_clear_pointer(&threads, g_ptr_array_unref);
    return threads;
}
