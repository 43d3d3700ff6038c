// The life of findings. A scan shows a finding when it has its fingerprint. That it does not show
// one says "fixed" only if it looked where the finding was: when it has a section or another
// finding in that file, or was of at least as many files as the scan that showed it last.
#include "query.h"

#include <string.h>

struct scan {
    int64_t id, files;
    char *commit;
    GHashTable *prints; // fingerprint (char*) -> finding (struct seen)
    GHashTable *looked; // files with a section or finding
};

struct seen {
    char *rule, *file, *function, *object;
    enum severity severity;
};

static void seen_free(gpointer p)
{
    struct seen *s = p;
    g_free(s->rule);
    g_free(s->file);
    g_free(s->function);
    g_free(s->object);
    g_free(s);
}

static void scan_free(gpointer p)
{
    struct scan *s = p;
    g_free(s->commit);
    g_hash_table_unref(s->prints);
    g_hash_table_unref(s->looked);
    g_free(s);
}

static void life_free(gpointer p)
{
    struct finding_life *l = p;
    g_free(l->fingerprint);
    g_free(l->rule);
    g_free(l->file);
    g_free(l->function);
    g_free(l->object);
    g_free(l->first_commit);
    g_free(l->last_commit);
    g_free(l->fixed_commit);
    g_free(l);
}

static bool read_scans(struct archive *archive, const char *root, GPtrArray *scans, GError **error)
{
    struct query q;
    query_begin(&q, archive,
                "SELECT id, files, revision FROM scan WHERE root = coalesce(?, (SELECT root FROM "
                "scan ORDER BY started_ns DESC, id DESC LIMIT 1)) ORDER BY started_ns, id");
    query_text(&q, root);
    while (query_row(&q)) {
        struct scan *s = g_new0(struct scan, 1);
        s->id = query_get_int(&q, 0);
        s->files = query_get_int(&q, 1);
        s->commit = query_get_text(&q, 2);
        s->prints = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, seen_free);
        s->looked = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        g_ptr_array_add(scans, s);
    }
    return query_end(&q, error);
}

static bool read_findings(struct archive *archive, struct scan *s, GError **error)
{
    struct query q;
    query_begin(&q, archive,
                "SELECT n.fingerprint, n.rule, f.text, fn.text, o.text, n.severity FROM finding n "
                "JOIN string f ON f.id = n.file_id LEFT JOIN string fn ON fn.id = n.function_id "
                "LEFT JOIN string o ON o.id = n.object_id WHERE n.scan_id = ?");
    query_int(&q, s->id);
    while (query_row(&q)) {
        struct seen *seen = g_new0(struct seen, 1);
        g_autofree char *severity = query_get_text(&q, 5);
        seen->rule = query_get_text(&q, 1);
        seen->file = query_get_text(&q, 2);
        seen->function = query_get_text(&q, 3);
        seen->object = query_get_text(&q, 4);
        severity_parse(severity, &seen->severity);
        g_hash_table_add(s->looked, g_strdup(seen->file));
        g_hash_table_replace(s->prints, query_get_text(&q, 0), seen);
    }
    if (!query_end(&q, error))
        return false;
    query_begin(&q, archive,
                "SELECT DISTINCT f.text FROM section s JOIN string f ON f.id = s.file_id "
                "WHERE s.scan_id = ?");
    query_int(&q, s->id);
    while (query_row(&q))
        g_hash_table_add(s->looked, query_get_text(&q, 0));
    return query_end(&q, error);
}

static void replace(char **field, const char *value)
{
    g_free(*field);
    *field = g_strdup(value);
}

static void see(struct finding_life *l, const struct scan *scan, const struct seen *seen)
{
    if (l->state == FINDING_FIXED) {
        l->reappeared++;
        l->state = FINDING_PRESENT;
        l->fixed_scan = -1;
        g_clear_pointer(&l->fixed_commit, g_free);
    }
    replace(&l->rule, seen->rule);
    replace(&l->file, seen->file);
    replace(&l->function, seen->function);
    replace(&l->object, seen->object);
    l->severity = seen->severity;
    l->last_scan = scan->id;
    replace(&l->last_commit, scan->commit);
}

static void miss(struct finding_life *l, const struct scan *scan, const struct scan *last)
{
    bool looked = g_hash_table_contains(scan->looked, l->file) || scan->files >= last->files;
    if (l->state == FINDING_FIXED || !looked)
        return;
    l->state = FINDING_FIXED;
    l->fixed_scan = scan->id;
    replace(&l->fixed_commit, scan->commit);
}

static struct finding_life *begin_life(const char *fingerprint, const struct scan *scan, bool start)
{
    struct finding_life *l = g_new0(struct finding_life, 1);
    l->fingerprint = g_strdup(fingerprint);
    l->first_scan = scan->id;
    l->first_commit = g_strdup(scan->commit);
    l->fixed_scan = -1;
    l->from_start = start;
    return l;
}

static const struct scan *scan_of(const GPtrArray *scans, int64_t id)
{
    for (guint i = 0; i < scans->len; i++)
        if (((struct scan *)scans->pdata[i])->id == id)
            return scans->pdata[i];
    return NULL;
}

static void live_through(const GPtrArray *scans, GHashTable *lives)
{
    for (guint i = 0; i < scans->len; i++) {
        const struct scan *scan = scans->pdata[i];
        GHashTableIter iter;
        gpointer key, value;
        g_hash_table_iter_init(&iter, scan->prints);
        while (g_hash_table_iter_next(&iter, &key, &value)) {
            struct finding_life *l = g_hash_table_lookup(lives, key);
            if (!l) {
                l = begin_life(key, scan, i == 0);
                g_hash_table_insert(lives, l->fingerprint, l);
            }
            see(l, scan, value);
        }
        g_hash_table_iter_init(&iter, lives);
        while (g_hash_table_iter_next(&iter, &key, &value)) {
            struct finding_life *l = value;
            if (!g_hash_table_contains(scan->prints, key))
                miss(l, scan, scan_of(scans, l->last_scan));
        }
    }
}

static int by_state_and_place(gconstpointer a, gconstpointer b)
{
    const struct finding_life *x = *(struct finding_life *const *)a;
    const struct finding_life *y = *(struct finding_life *const *)b;
    if (x->state != y->state)
        return x->state == FINDING_PRESENT ? -1 : 1;
    int order = strcmp(x->file, y->file);
    if (!order)
        order = strcmp(x->rule, y->rule);
    return order ? order : strcmp(x->fingerprint, y->fingerprint);
}

GPtrArray *archive_finding_lives(struct archive *archive, const char *root, GError **error)
{
    g_autoptr(GPtrArray) scans = g_ptr_array_new_with_free_func(scan_free);
    bool ok = read_scans(archive, root, scans, error);
    for (guint i = 0; ok && i < scans->len; i++)
        ok = read_findings(archive, scans->pdata[i], error);
    if (!ok)
        return NULL;
    if (root && scans->len == 0) {
        error_set(error, SPINFAULT_ERROR_NOT_FOUND, "%s has no scan of %s", archive->path, root);
        return NULL;
    }
    GPtrArray *rows = g_ptr_array_new_with_free_func(life_free);
    g_autoptr(GHashTable) lives = g_hash_table_new(g_str_hash, g_str_equal);
    live_through(scans, lives);
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, lives);
    while (g_hash_table_iter_next(&iter, NULL, &value))
        g_ptr_array_add(rows, value);
    g_ptr_array_sort(rows, by_state_and_place);
    return rows;
}
