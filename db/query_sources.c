// Source files, and how much of everything there is.
#include "query.h"

#include "migrate.h"

#include <glib/gstdio.h>

static void source_row_free(gpointer p)
{
    struct source_row *r = p;
    g_free(r->path);
    g_free(r->format);
    g_free(r->sha256);
    g_free(r);
}

GPtrArray *archive_sources(struct archive *archive, GError **error)
{
    GPtrArray *sources = g_ptr_array_new_with_free_func(source_row_free);
    struct query q;
    query_begin(&q, archive,
                "SELECT id, path, format, sha256, bytes, records, skipped, ingested_ns, runs, "
                "samples FROM source ORDER BY id");
    while (query_row(&q)) {
        struct source_row *r = g_new0(struct source_row, 1);
        r->id = query_get_int(&q, 0);
        r->path = query_get_text(&q, 1);
        r->format = query_get_text(&q, 2);
        r->sha256 = query_get_text(&q, 3);
        r->bytes = (uint64_t)query_get_int(&q, 4);
        r->records = (uint64_t)query_get_int(&q, 5);
        r->skipped = (uint64_t)query_get_int(&q, 6);
        r->ingested_ns = query_get_int(&q, 7);
        r->runs = (uint64_t)query_get_int(&q, 8);
        r->samples = (uint64_t)query_get_int(&q, 9);
        g_ptr_array_add(sources, r);
    }
    if (!query_end(&q, error))
        g_clear_pointer(&sources, g_ptr_array_unref);
    return sources;
}

bool archive_count(struct archive *archive, struct archive_counts *counts, GError **error)
{
    struct archive_counts c = {.schema_version = ARCHIVE_VERSION};
    struct query q;
    // Sums of what was recorded, so that a large archive answers at once.
    query_begin(&q, archive,
                "SELECT (SELECT count(*) FROM source), "
                "(SELECT coalesce(sum(runs), 0) FROM source), "
                "(SELECT coalesce(sum(metrics), 0) FROM source), "
                "(SELECT count(*) FROM profile), "
                "(SELECT coalesce(sum(samples), 0) FROM source), (SELECT count(*) FROM scan), "
                "(SELECT coalesce(sum(stored_sections), 0) FROM scan), "
                "(SELECT coalesce(sum(stored_findings), 0) FROM scan)");
    uint64_t *const fields[] = {&c.sources, &c.runs,  &c.metrics,  &c.profiles,
                                &c.samples, &c.scans, &c.sections, &c.findings};
    while (query_row(&q))
        for (int i = 0; i < (int)G_N_ELEMENTS(fields); i++)
            *fields[i] = (uint64_t)query_get_int(&q, i);
    if (!query_end(&q, error))
        return false;
    GStatBuf st;
    if (g_stat(archive->path, &st) == 0)
        c.file_bytes = (uint64_t)st.st_size;
    *counts = c;
    return true;
}
