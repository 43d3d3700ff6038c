// The tags of runs, in one pass beside the runs themselves.
#include "run_tags.h"

#include <string.h>

#include "query.h"
#include "tags.h"

void run_add_tag(struct run_row *r, GHashTable *none, const char *key, char *value)
{
    if (r->tags == none) {
        g_hash_table_unref(none);
        r->tags = tags_new();
    }
    g_hash_table_insert(r->tags, g_strdup(key), value);
}

// The tags of one run while its rows come in, as rows of `string`.
struct tag_ids {
    int64_t key, value;
};

// Tags of runs: those that follow each other mostly have the same, and then share a table.
struct tagging {
    struct archive *archive;
    GHashTable *none;
    GHashTable *texts;    // row of string -> char *
    GArray *now, *before; // of struct tag_ids
    GHashTable *table;    // of `before`; lent by the run that has it
};

static const char *text_of(struct tagging *t, int64_t row, GError **error)
{
    char *text = g_hash_table_lookup(t->texts, &row);
    struct query q;
    if (text)
        return text;
    query_begin(&q, t->archive, "SELECT text FROM string WHERE id = ?");
    query_int(&q, row);
    while (query_row(&q))
        text = query_get_text(&q, 0);
    if (!query_end(&q, error))
        return NULL;
    if (text)
        g_hash_table_insert(t->texts, g_memdup2(&row, sizeof row), text);
    else
        error_set(error, SPINFAULT_ERROR_DAMAGED,
                  "%s: text %" G_GINT64_FORMAT " is not there; \"spinfault archive verify\" says "
                  "what else is damaged",
                  t->archive->path, row);
    return text;
}

static bool same_ids(const GArray *a, const GArray *b)
{
    return a->len == b->len && memcmp(a->data, b->data, a->len * sizeof(struct tag_ids)) == 0;
}

// Gives a run the tags that have come in for it.
static bool end_tags(struct tagging *t, struct run_row *run, GError **error)
{
    if (t->table && run->tags == t->none && same_ids(t->now, t->before)) {
        g_hash_table_unref(run->tags);
        run->tags = g_hash_table_ref(t->table);
    } else {
        bool own = run->tags != t->none; // what the run has besides is not what the next one has
        for (guint i = 0; i < t->now->len; i++) {
            const struct tag_ids *ids = &g_array_index(t->now, struct tag_ids, i);
            const char *key = text_of(t, ids->key, error);
            const char *value = key ? text_of(t, ids->value, error) : NULL;
            if (!value)
                return false;
            run_add_tag(run, t->none, key, g_strdup(value));
        }
        t->table = own || !t->now->len ? NULL : run->tags;
        GArray *now = t->now;
        t->now = t->before;
        t->before = now;
    }
    g_array_set_size(t->now, 0);
    return true;
}

// Both results are in the order of run ids, so that they merge.
static bool merge_tags(struct tagging *t, const struct filter *f, GPtrArray *runs, GError **error)
{
    g_autofree char *sql = g_strconcat(
        "SELECT t.run_id, t.key_id, t.value_id FROM run r CROSS JOIN run_tag t ON t.run_id = r.id "
        "WHERE true",
        f->sql->str, " ORDER BY r.id", NULL);
    struct query q;
    guint at = 0;
    bool ok = true;
    query_begin_text(&q, t->archive, sql);
    filter_bind(f, &q);
    while (ok && query_row(&q)) {
        int64_t id = query_get_int(&q, 0);
        const struct tag_ids ids = {query_get_int(&q, 1), query_get_int(&q, 2)};
        for (; ok && at < runs->len && ((struct run_row *)runs->pdata[at])->id < id; at++)
            if (t->now->len)
                ok = end_tags(t, runs->pdata[at], error);
        if (at < runs->len && ((struct run_row *)runs->pdata[at])->id == id)
            g_array_append_val(t->now, ids);
    }
    ok = query_end(&q, ok ? error : NULL) && ok;
    return ok && (!t->now->len || end_tags(t, runs->pdata[at], error));
}

bool run_tags_read(struct archive *archive, const struct filter *f, GHashTable *none,
                   GPtrArray *runs, GError **error)
{
    struct tagging t = {.archive = archive, .none = none};
    t.texts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    t.now = g_array_new(false, false, sizeof(struct tag_ids));
    t.before = g_array_new(false, false, sizeof(struct tag_ids));
    bool ok = merge_tags(&t, f, runs, error);
    g_hash_table_unref(t.texts);
    g_array_unref(t.now);
    g_array_unref(t.before);
    return ok;
}
