// Runs, metrics, series, wait events, environment.
#include "filter.h"
#include "query.h"
#include "run_tags.h"
#include "tags.h"

#include <string.h>

// Thousands of rows have the same few texts, so rows share them. Each column remembers the last
// few, which is cheaper than to look for a text among all that the program has.
#define RECENT 8u
struct recent {
    char *texts[RECENT]; // lent by rows; NULL: none yet
    unsigned next;
};

static bool is_text(const char *text, struct slice s)
{
    return text && strlen(text) == s.len && memcmp(text, s.data, s.len) == 0;
}

static char *shared_text(const struct query *q, int column, struct recent *recent)
{
    struct slice s = query_get_slice(q, column);
    if (!s.data)
        return NULL;
    for (unsigned i = 0; i < RECENT; i++)
        if (is_text(recent->texts[i], s))
            return g_ref_string_acquire(recent->texts[i]);
    g_autofree char *copy = query_get_text(q, column);
    return recent->texts[recent->next++ % RECENT] = g_ref_string_new_intern(copy);
}

static void release(char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (texts[i])
            g_ref_string_release(texts[i]);
}

enum { RUN_TEXTS = 12 };

static void run_row_free(gpointer p)
{
    struct run_row *r = p;
    char *const texts[] = {
        r->benchmark, r->workload, r->host,           r->instance,           r->arch,
        r->kernel,    r->preempt,  r->preempt_source, r->preempt_confidence, r->page,
        r->why,       r->path};
    release(texts, G_N_ELEMENTS(texts));
    g_hash_table_unref(r->tags);
    g_free(r);
}

static bool read_word(const struct query *q, int column, int (*parse)(const char *), int *value)
{
    char word[32];
    struct slice s = query_get_slice(q, column);
    *value = -1;
    if (s.data && s.len < sizeof word) {
        memcpy(word, s.data, s.len);
        word[s.len] = '\0';
        *value = parse(word);
    }
    return *value >= 0;
}

// The three words of the run tables as numbers; -1 for a word this version does not know.
static int status_of(const char *word)
{
    enum run_status v;
    return run_status_parse(word, &v) ? (int)v : -1;
}

static int better_of(const char *word)
{
    enum better v;
    return better_parse(word, &v) ? (int)v : -1;
}

static int provenance_of(const char *word)
{
    enum provenance v;
    return provenance_parse(word, &v) ? (int)v : -1;
}

static bool unknown_word(struct archive *archive, const char *table, GError **error)
{
    return error_set(error, SPINFAULT_ERROR_DAMAGED,
                     "%s: a row of %s holds a word that its CHECK should have refused; \"spinfault "
                     "archive verify\" says what else is damaged",
                     archive->path, table);
}

static struct run_row *read_run(const struct query *q, GHashTable *none, struct recent *recent,
                                int *status)
{
    struct run_row *r = g_new0(struct run_row, 1);
    char **const texts[] = {
        &r->benchmark, &r->workload, &r->host,           &r->instance,           &r->arch,
        &r->kernel,    &r->preempt,  &r->preempt_source, &r->preempt_confidence, &r->page,
        &r->why,       &r->path};
    r->id = query_get_int(q, 0);
    r->source_id = query_get_int(q, 1);
    for (int i = 0; i < RUN_TEXTS; i++)
        *texts[i] = shared_text(q, 2 + i, &recent[i]);
    r->clients = query_get_int_or(q, 14, -1);
    r->vcpus = query_get_int_or(q, 15, -1);
    r->started_ns = query_get_int_or(q, 16, INT64_MIN);
    read_word(q, 17, status_of, status);
    r->tags = g_hash_table_ref(none);
    static const char *const also[] = {"threads", "page_asked", "page_kind"};
    for (int i = 0; i < (int)G_N_ELEMENTS(also); i++)
        if (!query_is_null(q, 18 + i))
            run_add_tag(r, none, also[i], query_get_text(q, 18 + i));
    return r;
}

static bool read_runs(struct archive *archive, const struct filter *f, GHashTable *none,
                      GPtrArray *runs, GError **error)
{
    g_autofree char *sql = g_strconcat(
        "SELECT r.id, r.source_id, w.benchmark, w.name, h.name, h.instance, h.arch, k.text, "
        "r.preempt, r.preempt_source, r.preempt_confidence, r.page, r.why, s.path, r.clients, "
        "h.vcpus, r.started_ns, r.status, r.threads, r.page_asked, r.page_kind "
        "FROM run r JOIN source s ON s.id = r.source_id JOIN workload w ON w.id = r.workload_id "
        "LEFT JOIN host h ON h.id = r.host_id LEFT JOIN string k ON k.id = r.kernel_id "
        "WHERE true",
        f->sql->str, " ORDER BY r.id", NULL);
    struct query q;
    struct recent recent[RUN_TEXTS] = {0};
    int status = 0;
    query_begin_text(&q, archive, sql);
    filter_bind(f, &q);
    while (status >= 0 && query_row(&q)) {
        struct run_row *r = read_run(&q, none, recent, &status);
        r->status = (enum run_status)MAX(status, 0);
        g_ptr_array_add(runs, r);
    }
    return query_end(&q, error) && (status >= 0 || unknown_word(archive, "run", error));
}

GPtrArray *archive_runs(struct archive *archive, const struct run_filter *filter, GError **error)
{
    struct filter f;
    if (!filter_init(&f, archive, filter, error))
        return NULL;
    GPtrArray *runs = g_ptr_array_new_with_free_func(run_row_free);
    g_autoptr(GHashTable) none = tags_new();
    bool ok =
        read_runs(archive, &f, none, runs, error) && run_tags_read(archive, &f, none, runs, error);
    filter_clear(&f);
    if (!ok)
        g_clear_pointer(&runs, g_ptr_array_unref);
    return runs;
}

static void metric_row_free(gpointer p)
{
    struct metric_row *m = p;
    char *const texts[] = {m->name, m->unit, m->source_unit, m->why};
    release(texts, G_N_ELEMENTS(texts));
    g_free(m);
}

// What all values of a kind share, by the row of metric_kind.
struct metric_kind {
    char *name, *unit, *source_unit;
    int better, provenance; // -1: a word this version does not know
};

static void metric_kind_free(gpointer p)
{
    struct metric_kind *kind = p;
    char *const texts[] = {kind->name, kind->unit, kind->source_unit};
    release(texts, G_N_ELEMENTS(texts));
    g_free(kind);
}

// By id, as a pointer.
static bool read_kinds(struct archive *archive, GHashTable *kinds, GError **error)
{
    struct query q;
    struct recent recent[3] = {0};
    query_begin(&q, archive,
                "SELECT k.id, k.name, k.unit, k.source_unit, k.better, k.provenance "
                "FROM metric_kind k ORDER BY k.id");
    while (query_row(&q)) {
        struct metric_kind *kind = g_new0(struct metric_kind, 1);
        g_hash_table_insert(kinds, GSIZE_TO_POINTER((gsize)query_get_int(&q, 0)), kind);
        kind->name = shared_text(&q, 1, &recent[0]);
        kind->unit = shared_text(&q, 2, &recent[1]);
        kind->source_unit = shared_text(&q, 3, &recent[2]);
        read_word(&q, 4, better_of, &kind->better);
        read_word(&q, 5, provenance_of, &kind->provenance);
    }
    return query_end(&q, error);
}

static char *share(char *text)
{
    return text ? g_ref_string_acquire(text) : NULL;
}

static bool read_metrics(struct archive *archive, const struct filter *f, const char *name,
                         GHashTable *kinds, GPtrArray *metrics, GError **error)
{
    g_autofree char *sql = g_strconcat(
        "SELECT m.run_id, m.kind_id, m.why, m.value, m.stddev, coalesce(m.n, 0) FROM metric m ",
        name ? "JOIN metric_kind k ON k.id = m.kind_id " : "",
        "JOIN run r ON r.id = m.run_id WHERE true", name ? " AND k.name = ?" : "", f->sql->str,
        " ORDER BY m.run_id, m.seq", NULL);
    struct query q;
    struct recent recent = {0};
    bool known = true;
    query_begin_text(&q, archive, sql);
    if (name)
        query_text(&q, name);
    filter_bind(f, &q);
    while (known && query_row(&q)) {
        const struct metric_kind *kind =
            g_hash_table_lookup(kinds, GSIZE_TO_POINTER((gsize)query_get_int(&q, 1)));
        known = kind && kind->name && kind->better >= 0 && kind->provenance >= 0;
        if (!known)
            continue;
        struct metric_row *m = g_new0(struct metric_row, 1);
        m->run_id = query_get_int(&q, 0);
        m->name = share(kind->name);
        m->unit = share(kind->unit);
        m->source_unit = share(kind->source_unit);
        m->why = query_is_null(&q, 2) ? NULL : shared_text(&q, 2, &recent);
        m->value = query_get_real(&q, 3);
        m->stddev = query_get_real(&q, 4);
        m->better = (enum better)kind->better;
        m->provenance = (enum provenance)kind->provenance;
        m->n = (uint64_t)query_get_int(&q, 5);
        g_ptr_array_add(metrics, m);
    }
    return query_end(&q, error) && (known || unknown_word(archive, "metric_kind", error));
}

GPtrArray *archive_metrics(struct archive *archive, const struct run_filter *filter,
                           const char *name, GError **error)
{
    struct filter f;
    if (!filter_init(&f, archive, filter, error))
        return NULL;
    GPtrArray *metrics = g_ptr_array_new_with_free_func(metric_row_free);
    g_autoptr(GHashTable) kinds = g_hash_table_new_full(NULL, NULL, NULL, metric_kind_free);
    bool ok =
        read_kinds(archive, kinds, error) && read_metrics(archive, &f, name, kinds, metrics, error);
    filter_clear(&f);
    if (!ok)
        g_clear_pointer(&metrics, g_ptr_array_unref);
    return metrics;
}

GArray *archive_series(struct archive *archive, int64_t run_id, const char *name, GError **error)
{
    GArray *points = g_array_new(false, false, sizeof(struct series_row));
    struct query q;
    query_begin(&q, archive,
                "SELECT p.t, p.value, s.epoch FROM series s "
                "JOIN series_point p ON p.series_id = s.id WHERE s.run_id = ? AND s.name_id = "
                "(SELECT id FROM string WHERE text = ?) ORDER BY s.epoch, p.t, p.seq");
    query_int(&q, run_id);
    query_text(&q, name);
    while (query_row(&q)) {
        struct series_row row = {query_get_real(&q, 0), query_get_real(&q, 1),
                                 query_get_int(&q, 2) != 0};
        g_array_append_val(points, row);
    }
    if (query_end(&q, error))
        return points;
    g_array_free(points, true);
    return NULL;
}

static void wait_row_free(gpointer p)
{
    struct wait_row *w = p;
    g_free(w->path);
    g_free(w->backend_type);
    g_free(w->event_type);
    g_free(w->event);
    g_free(w->state);
    if (w->tags)
        g_hash_table_unref(w->tags);
    g_free(w);
}

GPtrArray *archive_waits(struct archive *archive, GError **error)
{
    GPtrArray *waits = g_ptr_array_new_with_free_func(wait_row_free);
    struct tag_cache cache = {0};
    struct query q;
    bool ok = true;
    query_begin(&q, archive,
                "SELECT w.source_id, w.run_id, src.path, b.text, y.text, e.text, s.text, w.count, "
                "w.t FROM wait_sample w JOIN source src ON src.id = w.source_id "
                "LEFT JOIN string b ON b.id = w.backend_type_id "
                "LEFT JOIN string y ON y.id = w.event_type_id "
                "LEFT JOIN string e ON e.id = w.event_id "
                "LEFT JOIN string s ON s.id = w.state_id ORDER BY w.source_id, w.seq");
    while (ok && query_row(&q)) {
        struct wait_row *w = g_new0(struct wait_row, 1);
        g_ptr_array_add(waits, w);
        w->source_id = query_get_int(&q, 0);
        w->run_id = query_get_int_or(&q, 1, -1);
        w->path = query_get_text(&q, 2);
        w->backend_type = query_get_text(&q, 3);
        w->event_type = query_get_text(&q, 4);
        w->event = query_get_text(&q, 5);
        w->state = query_get_text(&q, 6);
        w->count = (uint64_t)query_get_int(&q, 7);
        w->t = query_get_real(&q, 8);
        w->tags = tag_cache_get(&cache, archive, w->source_id, error);
        ok = w->tags != NULL;
    }
    ok = query_end(&q, ok ? error : NULL) && ok;
    tag_cache_clear(&cache);
    if (!ok)
        g_clear_pointer(&waits, g_ptr_array_unref);
    return waits;
}

static void environment_row_free(gpointer p)
{
    struct environment_row *e = p;
    g_free(e->scope);
    g_free(e->origin);
    g_free(e->key);
    g_free(e->value);
    g_free(e->unit);
    g_free(e->phase);
    g_free(e);
}

GPtrArray *archive_environment(struct archive *archive, GError **error)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func(environment_row_free);
    struct query q;
    query_begin(&q, archive,
                "SELECT e.source_id, k.scope, k.origin, k.name, e.value, k.unit, e.phase "
                "FROM environment e JOIN environment_key k ON k.id = e.key_id "
                "ORDER BY e.source_id, k.name, e.seq");
    while (query_row(&q)) {
        struct environment_row *e = g_new0(struct environment_row, 1);
        e->source_id = query_get_int(&q, 0);
        e->scope = query_get_text(&q, 1);
        e->origin = query_get_text(&q, 2);
        e->key = query_get_text(&q, 3);
        e->value = query_get_text(&q, 4);
        e->unit = query_get_text(&q, 5);
        e->phase = query_get_text(&q, 6);
        g_ptr_array_add(rows, e);
    }
    if (!query_end(&q, error))
        g_clear_pointer(&rows, g_ptr_array_unref);
    return rows;
}
