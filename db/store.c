// The sink that stores: the life of a source, and what all facts share.
#include "store.h"

#include "query.h"

#include <string.h>

// Of a source that is not ended: no content has this digest.
static const char no_digest[DIGEST_HEX_BYTES] =
    "0000000000000000000000000000000000000000000000000000000000000000";

struct store *store_new(struct archive *archive)
{
    struct store *s = g_new0(struct store, 1);
    s->archive = archive;
    s->ingested_ns = INT64_MIN;
    text_table_init(&s->text);
    s->text_ids = g_array_new(false, true, sizeof(int64_t));
    s->tags = g_ptr_array_new_with_free_func(g_free);
    s->series = g_array_new(false, false, sizeof(struct run_series));
    s->value_ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    s->value_key = g_string_new(NULL);
    return s;
}

static void forget(struct store *s)
{
    text_table_clear(&s->text);
    text_table_init(&s->text);
    g_array_set_size(s->text_ids, 0);
    g_clear_pointer(&s->path, g_free);
    g_clear_pointer(&s->format, g_free);
    g_clear_pointer(&s->version, g_free);
    g_clear_pointer(&s->revision, g_free);
    g_clear_pointer(&s->held_sections, g_ptr_array_unref);
    g_clear_pointer(&s->held_findings, g_ptr_array_unref);
    g_clear_pointer(&s->held_files, g_ptr_array_unref);
    g_array_set_size(s->series, 0);
    g_hash_table_remove_all(s->value_ids);
    g_clear_pointer(&s->profile, store_samples_free);
    g_ptr_array_set_size(s->tags, 0);
    s->counts = (struct store_counts){0};
    s->run_id = s->source_id = s->scan_id = 0;
    s->metric_seq = 0;
    s->state = STORE_IDLE;
    s->open = false;
}

void store_free(struct store *s)
{
    if (!s)
        return;
    if (s->open)
        archive_rollback(s->archive);
    forget(s);
    text_table_clear(&s->text);
    g_array_free(s->text_ids, true);
    g_ptr_array_free(s->tags, true);
    g_array_free(s->series, true);
    g_hash_table_unref(s->value_ids);
    g_string_free(s->value_key, true);
    g_free(s);
}

bool store_string_of(struct store *s, uint32_t text_id, int64_t *id, GError **error)
{
    if (s->text_ids->len <= text_id)
        g_array_set_size(s->text_ids, text_id + 1);
    *id = g_array_index(s->text_ids, int64_t, text_id);
    if (*id || text_id == 0)
        return true;
    struct slice text = s->text.items[text_id];
    struct query q;
    query_begin(&q, s->archive, "SELECT id FROM string WHERE text = ?");
    query_slice(&q, text);
    while (query_row(&q))
        *id = query_get_int(&q, 0);
    if (!query_end(&q, error))
        return false;
    if (!*id) {
        query_begin(&q, s->archive, "INSERT INTO string (text) VALUES (?)");
        query_slice(&q, text);
        if (!query_run(&q, error))
            return false;
        *id = sqlite3_last_insert_rowid(s->archive->db);
    }
    g_array_index(s->text_ids, int64_t, text_id) = *id;
    return true;
}

bool store_string(struct store *s, struct slice text, int64_t *id, GError **error)
{
    return store_open(s, error) && store_string_of(s, text_table_add(&s->text, text), id, error);
}

static bool insert_source(struct store *s, GError **error)
{
    struct query q;
    query_begin(&q, s->archive,
                "INSERT INTO source (path, format, sha256, bytes, records, skipped, lost, "
                "truncated, ingested_ns) VALUES (?, ?, ?, 0, 0, 0, 0, 0, ?)");
    query_text(&q, s->path);
    query_text(&q, s->format);
    query_text(&q, no_digest);
    query_int(&q, s->ingested_ns == INT64_MIN ? g_get_real_time() * 1000 : s->ingested_ns);
    if (!query_run(&q, error))
        return false;
    s->source_id = sqlite3_last_insert_rowid(s->archive->db);
    for (guint i = 0; i + 2 < s->tags->len; i += 3) {
        int64_t key, value;
        if (!store_string(s, slice_from(s->tags->pdata[i]), &key, error) ||
            !store_string(s, slice_from(s->tags->pdata[i + 1]), &value, error))
            return false;
        query_begin(&q, s->archive,
                    "INSERT OR REPLACE INTO source_tag (source_id, key_id, value_id, is_number) "
                    "VALUES (?, ?, ?, ?)");
        query_int(&q, s->source_id);
        query_int(&q, key);
        query_int(&q, value);
        query_int(&q, *(const char *)s->tags->pdata[i + 2] == '1');
        if (!query_run(&q, error))
            return false;
    }
    return true;
}

bool store_open(struct store *s, GError **error)
{
    if (s->open)
        return true;
    if (!archive_begin(s->archive, error))
        return false;
    s->open = true;
    return s->state != STORE_SOURCE || insert_source(s, error);
}

bool store_close(struct store *s, bool keep, GError **error)
{
    bool ok = true;
    if (s->open && keep)
        ok = archive_commit(s->archive, error);
    else if (s->open)
        archive_rollback(s->archive);
    forget(s);
    return ok;
}

static bool source_begin(void *context, const struct source_fact *source, GError **error)
{
    struct store *s = context;
    if (s->archive->mode == ARCHIVE_READ)
        return error_set(error, SPINFAULT_ERROR_USAGE, "%s was opened for reading only",
                         s->archive->path);
    g_assert(s->state == STORE_IDLE);
    s->state = STORE_SOURCE;
    s->path = text_printable(slice_from(source->path));
    s->format = g_strdup(source->format);
    for (size_t i = 0; i < source->n_settings; i++) {
        g_ptr_array_add(s->tags, g_strdup(source->settings[i].key));
        g_ptr_array_add(s->tags, g_strdup(source->settings[i].value));
        g_ptr_array_add(s->tags, g_strdup(source->settings[i].is_number ? "1" : "0"));
    }
    return true;
}

static bool skipped(void *context, const struct skipped_fact *fact, GError **error)
{
    struct store *s = context;
    if (!store_open(s, error))
        return false;
    struct query q;
    query_begin(&q, s->archive,
                "INSERT INTO skipped (source_id, seq, line, why, text) VALUES (?, ?, ?, ?, ?)");
    query_int(&q, s->source_id);
    query_int(&q, s->counts.skipped++);
    query_int(&q, (int64_t)fact->line);
    query_text(&q, fact->why ? fact->why : "not understood");
    query_text(&q, fact->text);
    return query_run(&q, error);
}

// Whether the content is in the archive already, said as an error.
static bool is_duplicate(struct store *s, const char *sha256, GError **error)
{
    GError *inner = NULL;
    bool known = false;
    struct query q;
    query_begin(&q, s->archive, "SELECT id, path FROM source WHERE sha256 = ?");
    query_text(&q, sha256);
    while (query_row(&q)) {
        g_autofree char *path = query_get_text(&q, 1);
        known = true;
        error_set(error, SPINFAULT_ERROR_DUPLICATE,
                  "%s is in %s already, as source %" G_GINT64_FORMAT " (%s)", s->path,
                  s->archive->path, query_get_int(&q, 0), path);
    }
    if (query_end(&q, &inner))
        return known;
    if (!known)
        g_propagate_error(error, inner);
    else
        g_error_free(inner);
    return true;
}

bool store_has_source(struct store *s, const char *sha256)
{
    struct query q;
    bool known = false;
    query_begin(&q, s->archive, "SELECT 1 FROM source WHERE sha256 = ?");
    query_text(&q, sha256);
    while (query_row(&q))
        known = true;
    return query_end(&q, NULL) && known;
}

static bool complete_source(struct store *s, const struct source_summary *summary, GError **error)
{
    struct query q;
    query_begin(&q, s->archive,
                "UPDATE source SET sha256 = ?, bytes = ?, records = ?, skipped = ?, lost = ?, "
                "truncated = ?, runs = ?, metrics = ?, points = ?, samples = ?, side_records = ?, "
                "waits = ?, environment = ? WHERE id = ?");
    query_text(&q, summary->sha256);
    query_int(&q, (int64_t)summary->bytes);
    query_int(&q, (int64_t)summary->records);
    query_int(&q, (int64_t)summary->skipped);
    query_int(&q, (int64_t)summary->lost);
    query_int(&q, summary->truncated);
    query_int(&q, s->counts.runs);
    query_int(&q, s->counts.metrics);
    query_int(&q, s->counts.points);
    query_int(&q, s->counts.samples);
    query_int(&q, s->counts.side);
    query_int(&q, s->counts.waits);
    query_int(&q, s->counts.environment);
    query_int(&q, s->source_id);
    return query_run(&q, error);
}

static bool source_end(void *context, const struct source_summary *summary, bool ok, GError **error)
{
    struct store *s = context;
    if (!ok)
        return store_close(s, false, error);
    // Asked before the lock is taken, for a duplicate is common and need not wait, and again
    // under it.
    if (is_duplicate(s, summary->sha256, error) || !store_open(s, error) ||
        is_duplicate(s, summary->sha256, error) || !store_samples_finish(s, error) ||
        !complete_source(s, summary, error)) {
        store_close(s, false, NULL);
        return false;
    }
    return store_close(s, true, error);
}

const struct fact_sink *archive_sink(struct archive *archive)
{
    if (archive->store)
        return &archive->store->sink;
    struct store *s = archive->store = store_new(archive);
    s->sink = (struct fact_sink){
        .context = s,
        .source_begin = source_begin,
        .skipped = skipped,
        .source_end = source_end,
    };
    store_runs_callbacks(&s->sink);
    store_samples_callbacks(&s->sink);
    store_side_callbacks(&s->sink);
    store_scan_callbacks(&s->sink);
    return &s->sink;
}
