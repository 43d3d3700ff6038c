// Runs, metrics, series, wait events, environment.
//
// A setting goes to its column when the column takes the value, else it stays a tag under its own
// name: a preemption mode nobody has heard of is kept, and the grid says "unknown" for it.
#include "store.h"

#include "query.h"

#include <string.h>

// What the columns of a run get. NULL and -1: unknown.
struct grid_point {
    const char *host, *instance, *arch, *kernel;
    const char *preempt, *preempt_source, *preempt_confidence;
    char page[8], page_asked[8];
    const char *page_kind;
    int64_t clients, threads, vcpus;
};

static bool take_count(int64_t *field, const char *value, int64_t least)
{
    int64_t v;
    if (!slice_to_i64(slice_from(value), &v) || v < least)
        return false;
    *field = v;
    return true;
}

static bool take_text(const char **field, const char *value)
{
    *field = *value ? value : NULL;
    return true;
}

static bool take_word(const char **field, const char *value, const char *const *words)
{
    if (!g_strv_contains(words, value))
        return false;
    *field = value;
    return true;
}

static bool take_preempt(const char **field, const char *value)
{
    const char *mode = preempt_parse(value);
    if (mode)
        *field = mode;
    return mode;
}

// Returns false when the setting has no column or does not fit it.
static bool take_setting(struct grid_point *p, const char *key, const char *value)
{
    static const char *const certainty[] = {"certain", "inferred", "guess", "unknown", NULL};
    static const char *const kinds[] = {"base", "thp", "hugetlb", NULL};
    const struct {
        const char *key;
        const char **text;
    } texts[] = {
        {"host", &p->host},
        {"instance", &p->instance},
        {"arch", &p->arch},
        {"kernel", &p->kernel},
        {"preempt_source", &p->preempt_source},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        if (strcmp(key, texts[i].key) == 0)
            return take_text(texts[i].text, value);
    if (strcmp(key, "preempt") == 0)
        return take_preempt(&p->preempt, value);
    if (strcmp(key, "preempt_confidence") == 0)
        return take_word(&p->preempt_confidence, value, certainty);
    if (strcmp(key, "page") == 0)
        return page_parse(value, p->page, NULL);
    if (strcmp(key, "page_asked") == 0)
        return page_parse(value, p->page_asked, NULL);
    if (strcmp(key, "page_kind") == 0)
        return take_word(&p->page_kind, value, kinds);
    if (strcmp(key, "clients") == 0)
        return take_count(&p->clients, value, 0);
    if (strcmp(key, "threads") == 0)
        return take_count(&p->threads, value, 0);
    if (strcmp(key, "vcpus") == 0)
        return take_count(&p->vcpus, value, 1);
    return false;
}

// Finds or makes a row of a table whose rows are values. `find` and `make` take the same values.
struct value_row {
    const char *find, *make;
    const char *texts[5];
    size_t n_texts;
    int64_t number; // bound last; -1: NULL; INT64_MIN: not bound
};

static void bind_value_row(struct query *q, const struct value_row *row, bool identity)
{
    // Identity is compared by coalesce(…, ''), as in the unique index.
    for (size_t i = 0; i < row->n_texts; i++)
        query_text(q, row->texts[i] || !identity ? row->texts[i] : "");
    if (row->number != INT64_MIN)
        query_int_if(q, row->number >= 0 || identity, MAX(row->number, 0));
}

static bool look_up(struct store *s, const struct value_row *row, int64_t *id, GError **error)
{
    struct query q;
    query_begin(&q, s->archive, row->find);
    bind_value_row(&q, row, true);
    while (query_row(&q))
        *id = query_get_int(&q, 0);
    if (!query_end(&q, error) || *id)
        return *id != 0;
    query_begin(&q, s->archive, row->make);
    bind_value_row(&q, row, false);
    if (!query_run(&q, error))
        return false;
    *id = sqlite3_last_insert_rowid(s->archive->db);
    return true;
}

// What was found is remembered: the runs of a file share most of their values.
static bool find_or_make(struct store *s, const struct value_row *row, int64_t *id, GError **error)
{
    g_string_printf(s->value_key, "%p", (const void *)row->find);
    for (size_t i = 0; i < row->n_texts; i++) {
        g_string_append_c(s->value_key, '\x1f');
        g_string_append(s->value_key, row->texts[i] ? row->texts[i] : "");
    }
    g_string_append_printf(s->value_key, "\x1f%" G_GINT64_FORMAT, row->number);
    const int64_t *known = g_hash_table_lookup(s->value_ids, s->value_key->str);
    if (known) {
        *id = *known;
        return true;
    }
    *id = 0;
    if (!look_up(s, row, id, error))
        return false;
    g_hash_table_insert(s->value_ids, g_strdup(s->value_key->str), g_memdup2(id, sizeof *id));
    return true;
}

static bool find_host(struct store *s, const struct grid_point *p, int64_t *id, GError **error)
{
    *id = 0;
    if (!p->host && !p->instance && !p->arch && p->vcpus < 0)
        return true;
    return find_or_make(
        s,
        &(struct value_row){
            .find = "SELECT id FROM host WHERE coalesce(name, '') = ? AND "
                    "coalesce(instance, '') = ? AND coalesce(arch, '') = ? AND "
                    "coalesce(vcpus, 0) = ?",
            .make = "INSERT INTO host (name, instance, arch, vcpus) VALUES (?, ?, ?, ?)",
            .texts = {p->host, p->instance, p->arch},
            .n_texts = 3,
            .number = p->vcpus,
        },
        id, error);
}

static bool find_workload(struct store *s, const struct run_fact *run, int64_t *id, GError **error)
{
    return find_or_make(
        s,
        &(struct value_row){
            .find = "SELECT id FROM workload WHERE benchmark = ? AND coalesce(name, '') = ?",
            .make = "INSERT INTO workload (benchmark, name) VALUES (?, ?)",
            .texts = {run->benchmark ? run->benchmark : "unknown", run->workload},
            .n_texts = 2,
            .number = INT64_MIN,
        },
        id, error);
}

static bool insert_run(struct store *s, const struct run_fact *run, const struct grid_point *p,
                       GError **error)
{
    int64_t workload, host;
    if (!find_workload(s, run, &workload, error) || !find_host(s, p, &host, error))
        return false;
    int64_t kernel;
    if (!store_string(s, slice_from(p->kernel), &kernel, error))
        return false;
    struct query q;
    query_begin(&q, s->archive,
                "INSERT INTO run (source_id, workload_id, host_id, kernel_id, preempt, "
                "preempt_source, preempt_confidence, page, page_asked, page_kind, clients, "
                "threads, started_ns, status, why) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    query_int(&q, s->source_id);
    query_int(&q, workload);
    query_int_if(&q, host != 0, host);
    query_int_if(&q, kernel != 0, kernel);
    query_text(&q, p->preempt);
    query_text(&q, p->preempt_source);
    query_text(&q, p->preempt_confidence);
    query_text(&q, *p->page ? p->page : NULL);
    query_text(&q, *p->page_asked ? p->page_asked : NULL);
    query_text(&q, p->page_kind);
    query_int_if(&q, p->clients >= 0, p->clients);
    query_int_if(&q, p->threads >= 0, p->threads);
    query_int_if(&q, run->started_ns != INT64_MIN, run->started_ns);
    query_text(&q, run_status_name(run->status));
    query_text(&q, run->why);
    if (!query_run(&q, error))
        return false;
    s->run_id = sqlite3_last_insert_rowid(s->archive->db);
    return true;
}

static bool insert_tag(struct store *s, const struct setting *setting, GError **error)
{
    int64_t key, value;
    if (!store_string(s, slice_from(setting->key), &key, error) ||
        !store_string(s, slice_from(setting->value), &value, error))
        return false;
    struct query q;
    query_begin(&q, s->archive,
                "INSERT OR REPLACE INTO run_tag (run_id, key_id, value_id, is_number) "
                "VALUES (?, ?, ?, ?)");
    query_int(&q, s->run_id);
    query_int(&q, key);
    query_int(&q, value);
    query_int(&q, setting->is_number);
    return query_run(&q, error);
}

static bool run(void *context, const struct run_fact *fact, GError **error)
{
    struct store *s = context;
    struct grid_point p = {.clients = -1, .threads = -1, .vcpus = -1};
    if (!store_open(s, error))
        return false;
    for (size_t i = 0; i < fact->n_settings; i++)
        if (fact->settings[i].value)
            take_setting(&p, fact->settings[i].key, fact->settings[i].value);
    if (!insert_run(s, fact, &p, error))
        return false;
    for (size_t i = 0; i < fact->n_settings; i++) {
        const struct setting *setting = &fact->settings[i];
        struct grid_point unused = {.clients = -1};
        if (setting->value && !take_setting(&unused, setting->key, setting->value) &&
            !insert_tag(s, setting, error))
            return false;
    }
    s->counts.runs++;
    s->metric_seq = 0;
    g_array_set_size(s->series, 0);
    return true;
}

static bool need_run(struct store *s, const char *what, GError **error)
{
    return s->run_id ||
           error_set(error, SPINFAULT_ERROR_DAMAGED, "%s: a %s before any run", s->path, what);
}

static bool metric(void *context, const struct metric_fact *fact, GError **error)
{
    struct store *s = context;
    int64_t kind;
    if (!need_run(s, "metric", error) ||
        !find_or_make(
            s,
            &(struct value_row){
                .find = "SELECT id FROM metric_kind WHERE name = ? AND coalesce(unit, '') = ? AND "
                        "coalesce(source_unit, '') = ? AND better = ? AND provenance = ?",
                .make = "INSERT INTO metric_kind (name, unit, source_unit, better, provenance) "
                        "VALUES (?, ?, ?, ?, ?)",
                .texts = {fact->name, fact->unit, fact->source_unit, better_name(fact->better),
                          provenance_name(fact->provenance)},
                .n_texts = 5,
                .number = INT64_MIN,
            },
            &kind, error))
        return false;
    struct query q;
    query_begin(&q, s->archive,
                "INSERT INTO metric (run_id, seq, kind_id, value, n, stddev, why) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)");
    query_int(&q, s->run_id);
    query_int(&q, s->metric_seq++);
    query_int(&q, kind);
    query_real(&q, fact->value);
    query_int_if(&q, fact->n != 0, (int64_t)fact->n);
    query_real(&q, fact->stddev);
    query_text(&q, isnan(fact->value) && !fact->why ? "the source gives no value" : fact->why);
    s->counts.metrics++;
    return query_run(&q, error);
}

// Series are told point by point and often in turn (tps, latency, tps, …), so those of a run are
// remembered.
static struct run_series *find_series(struct store *s, const struct series_fact *fact,
                                      GError **error)
{
    uint32_t name = text_table_add(&s->text, slice_from(fact->name));
    for (guint i = 0; i < s->series->len; i++) {
        struct run_series *known = &g_array_index(s->series, struct run_series, i);
        if (known->name == name && known->epoch == fact->epoch)
            return known;
    }
    struct run_series fresh = {.name = name, .epoch = fact->epoch};
    int64_t name_row;
    if (!store_string_of(s, name, &name_row, error))
        return NULL;
    struct query q;
    query_begin(&q, s->archive, "INSERT INTO series (run_id, name_id, epoch) VALUES (?, ?, ?)");
    query_int(&q, s->run_id);
    query_int(&q, name_row);
    query_int(&q, fact->epoch);
    if (!query_run(&q, error))
        return NULL;
    fresh.id = sqlite3_last_insert_rowid(s->archive->db);
    g_array_append_val(s->series, fresh);
    return &g_array_index(s->series, struct run_series, s->series->len - 1);
}

static bool series(void *context, const struct series_fact *fact, GError **error)
{
    struct store *s = context;
    struct run_series *of = need_run(s, "series", error) ? find_series(s, fact, error) : NULL;
    if (!of)
        return false;
    struct query q;
    query_begin(&q, s->archive,
                "INSERT INTO series_point (series_id, t, seq, value) VALUES (?, ?, ?, ?)");
    query_int(&q, of->id);
    query_real(&q, fact->t);
    query_int(&q, of->points++);
    query_real(&q, fact->value);
    s->counts.points++;
    return query_run(&q, error);
}

static bool wait_event(void *context, const struct wait_fact *fact, GError **error)
{
    struct store *s = context;
    int64_t ids[4];
    const char *const texts[4] = {fact->backend_type, fact->event_type, fact->event, fact->state};
    for (size_t i = 0; i < G_N_ELEMENTS(ids); i++)
        if (!store_string(s, slice_from(texts[i]), &ids[i], error))
            return false;
    struct query q;
    query_begin(&q, s->archive,
                "INSERT INTO wait_sample (source_id, seq, run_id, backend_type_id, event_type_id, "
                "event_id, state_id, count, t) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    query_int(&q, s->source_id);
    query_int(&q, s->counts.waits++);
    query_int_if(&q, s->run_id != 0, s->run_id);
    for (size_t i = 0; i < G_N_ELEMENTS(ids); i++)
        query_int_if(&q, ids[i] != 0, ids[i]);
    query_int(&q, (int64_t)fact->count);
    query_real(&q, fact->t);
    return query_run(&q, error);
}

static bool environment(void *context, const struct environment_fact *fact, GError **error)
{
    struct store *s = context;
    int64_t key;
    if (!store_open(s, error) ||
        !find_or_make(s,
                      &(struct value_row){
                          .find = "SELECT id FROM environment_key WHERE scope = ? AND origin = ? "
                                  "AND name = ? AND coalesce(unit, '') = ?",
                          .make = "INSERT INTO environment_key (scope, origin, name, unit) "
                                  "VALUES (?, ?, ?, ?)",
                          .texts = {fact->scope, fact->source, fact->key, fact->unit},
                          .n_texts = 4,
                          .number = INT64_MIN,
                      },
                      &key, error))
        return false;
    struct query q;
    query_begin(&q, s->archive,
                "INSERT INTO environment (source_id, seq, key_id, phase, value) "
                "VALUES (?, ?, ?, ?, ?)");
    query_int(&q, s->source_id);
    query_int(&q, s->counts.environment++);
    query_int(&q, key);
    query_text(&q, fact->phase);
    query_text(&q, fact->value);
    return query_run(&q, error);
}

void store_runs_callbacks(struct fact_sink *sink)
{
    sink->run = run;
    sink->metric = metric;
    sink->series = series;
    sink->wait = wait_event;
    sink->environment = environment;
}
