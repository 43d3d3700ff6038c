// Sources and runs, told again.
#include "replay.h"

#include "query.h"

#include <string.h>

// Settings whose text this holds. A run has its columns first, in the order of the table below,
// then its tags by name.
struct settings {
    GArray *items; // struct setting
    GPtrArray *text;
};

static struct settings settings_new(void)
{
    return (struct settings){g_array_new(false, false, sizeof(struct setting)),
                             g_ptr_array_new_with_free_func(g_free)};
}

static void settings_clear(struct settings *s)
{
    g_array_free(s->items, true);
    g_ptr_array_free(s->text, true);
}

static char *keep(GPtrArray *text, const struct query *q, int column)
{
    char *copy = query_get_text(q, column);
    if (copy)
        g_ptr_array_add(text, copy);
    return copy;
}

// Rows of key, value, is_number.
static bool read_settings(struct query *q, struct settings *s, GError **error)
{
    while (query_row(q)) {
        struct setting setting = {keep(s->text, q, 0), keep(s->text, q, 1),
                                  query_get_int(q, 2) != 0};
        g_array_append_val(s->items, setting);
    }
    return query_end(q, error);
}

static bool tell_metrics(struct archive *from, int64_t run_id, const struct fact_sink *to,
                         GError **error)
{
    struct query q;
    bool ok = true;
    query_begin(&q, from,
                "SELECT k.name, m.value, k.unit, k.source_unit, k.better, k.provenance, m.n, "
                "m.stddev, m.why FROM metric m JOIN metric_kind k ON k.id = m.kind_id "
                "WHERE m.run_id = ? ORDER BY m.seq");
    query_int(&q, run_id);
    while (ok && query_row(&q)) {
        g_autoptr(GPtrArray) text = g_ptr_array_new_with_free_func(g_free);
        struct metric_fact m = {
            .name = keep(text, &q, 0),
            .value = query_get_real(&q, 1),
            .unit = keep(text, &q, 2),
            .source_unit = keep(text, &q, 3),
            .n = (uint64_t)query_get_int(&q, 6),
            .stddev = query_get_real(&q, 7),
            .why = keep(text, &q, 8),
        };
        better_parse(keep(text, &q, 4), &m.better);
        provenance_parse(keep(text, &q, 5), &m.provenance);
        ok = sink_metric(to, &m, error);
    }
    return query_end(&q, ok ? error : NULL) && ok;
}

static bool tell_series(struct archive *from, int64_t run_id, const struct fact_sink *to,
                        GError **error)
{
    struct query q;
    bool ok = true;
    query_begin(&q, from,
                "SELECT n.text, p.t, s.epoch, p.value FROM series s "
                "JOIN string n ON n.id = s.name_id JOIN series_point p ON p.series_id = s.id "
                "WHERE s.run_id = ? ORDER BY s.id, p.t, p.seq");
    query_int(&q, run_id);
    while (ok && query_row(&q)) {
        g_autofree char *name = query_get_text(&q, 0);
        const struct series_fact point = {name, query_get_real(&q, 1), query_get_int(&q, 2) != 0,
                                          query_get_real(&q, 3)};
        ok = sink_series(to, &point, error);
    }
    return query_end(&q, ok ? error : NULL) && ok;
}

// Of one run, or with `run_id` 0 those of none.
static bool tell_waits(struct archive *from, int64_t source_id, int64_t run_id,
                       const struct fact_sink *to, GError **error)
{
    struct query q;
    bool ok = true;
    query_begin(&q, from,
                "SELECT b.text, y.text, e.text, s.text, w.count, w.t FROM wait_sample w "
                "LEFT JOIN string b ON b.id = w.backend_type_id "
                "LEFT JOIN string y ON y.id = w.event_type_id "
                "LEFT JOIN string e ON e.id = w.event_id LEFT JOIN string s ON s.id = w.state_id "
                "WHERE w.source_id = ? AND w.run_id IS ? ORDER BY w.seq");
    query_int(&q, source_id);
    query_int_if(&q, run_id != 0, run_id);
    while (ok && query_row(&q)) {
        g_autoptr(GPtrArray) text = g_ptr_array_new_with_free_func(g_free);
        const struct wait_fact wait = {
            keep(text, &q, 0),
            keep(text, &q, 1),
            keep(text, &q, 2),
            keep(text, &q, 3),
            (uint64_t)query_get_int(&q, 4),
            query_get_real(&q, 5),
        };
        ok = sink_wait(to, &wait, error);
    }
    return query_end(&q, ok ? error : NULL) && ok;
}

// The columns of a run that are settings: "SELECT" below is in this order.
static const struct {
    const char *key;
    bool is_number;
} columns[] = {
    {"host", false},           {"instance", false},
    {"arch", false},           {"vcpus", true},
    {"kernel", false},         {"preempt", false},
    {"preempt_source", false}, {"preempt_confidence", false},
    {"page", false},           {"page_asked", false},
    {"page_kind", false},      {"clients", true},
    {"threads", true},
};
#define AFTER_COLUMNS ((int)G_N_ELEMENTS(columns))

static bool tell_run_row(struct archive *from, struct query *row, const struct fact_sink *to,
                         GError **error)
{
    struct settings set = settings_new();
    for (int i = 0; i < AFTER_COLUMNS; i++) {
        struct setting setting = {columns[i].key, keep(set.text, row, i), columns[i].is_number};
        if (setting.value)
            g_array_append_val(set.items, setting);
    }
    struct run_fact run = {
        .benchmark = keep(set.text, row, AFTER_COLUMNS),
        .workload = keep(set.text, row, AFTER_COLUMNS + 1),
        .started_ns = query_get_int_or(row, AFTER_COLUMNS + 2, INT64_MIN),
        .why = keep(set.text, row, AFTER_COLUMNS + 4),
    };
    run_status_parse(keep(set.text, row, AFTER_COLUMNS + 3), &run.status);
    struct query q;
    query_begin(&q, from,
                "SELECT k.text, v.text, t.is_number FROM run_tag t JOIN string k ON k.id = "
                "t.key_id JOIN string v ON v.id = t.value_id WHERE t.run_id = ? ORDER BY k.text");
    query_int(&q, query_get_int(row, AFTER_COLUMNS + 5));
    bool ok = read_settings(&q, &set, error);
    run.settings = (const void *)set.items->data;
    run.n_settings = set.items->len;
    ok = ok && sink_run(to, &run, error);
    settings_clear(&set);
    return ok;
}

static bool tell_runs(struct archive *from, int64_t source_id, const struct fact_sink *to,
                      GError **error)
{
    struct query q;
    bool ok = true;
    query_begin(&q, from,
                "SELECT h.name, h.instance, h.arch, h.vcpus, k.text, r.preempt, r.preempt_source, "
                "r.preempt_confidence, r.page, r.page_asked, r.page_kind, r.clients, r.threads, "
                "w.benchmark, w.name, r.started_ns, r.status, r.why, r.id FROM run r "
                "JOIN workload w ON w.id = r.workload_id LEFT JOIN host h ON h.id = r.host_id "
                "LEFT JOIN string k ON k.id = r.kernel_id WHERE r.source_id = ? ORDER BY r.id");
    query_int(&q, source_id);
    while (ok && query_row(&q)) {
        int64_t id = query_get_int(&q, AFTER_COLUMNS + 5);
        ok = tell_run_row(from, &q, to, error) && tell_metrics(from, id, to, error) &&
             tell_series(from, id, to, error) && tell_waits(from, source_id, id, to, error);
    }
    return query_end(&q, ok ? error : NULL) && ok;
}

static bool tell_environment(struct archive *from, int64_t source_id, const struct fact_sink *to,
                             GError **error)
{
    struct query q;
    bool ok = true;
    query_begin(&q, from,
                "SELECT k.scope, k.origin, k.name, e.value, k.unit, e.phase FROM environment e "
                "JOIN environment_key k ON k.id = e.key_id WHERE e.source_id = ? ORDER BY e.seq");
    query_int(&q, source_id);
    while (ok && query_row(&q)) {
        g_autoptr(GPtrArray) text = g_ptr_array_new_with_free_func(g_free);
        const struct environment_fact fact = {keep(text, &q, 0), keep(text, &q, 1),
                                              keep(text, &q, 2), keep(text, &q, 3),
                                              keep(text, &q, 4), keep(text, &q, 5)};
        ok = sink_environment(to, &fact, error);
    }
    return query_end(&q, ok ? error : NULL) && ok;
}

static bool tell_skipped(struct archive *from, int64_t source_id, const struct fact_sink *to,
                         GError **error)
{
    struct query q;
    bool ok = true;
    query_begin(&q, from, "SELECT line, why, text FROM skipped WHERE source_id = ? ORDER BY seq");
    query_int(&q, source_id);
    while (ok && query_row(&q)) {
        g_autofree char *why = query_get_text(&q, 1);
        g_autofree char *text = query_get_text(&q, 2);
        const struct skipped_fact fact = {(uint64_t)query_get_int(&q, 0), why, text};
        ok = sink_skipped(to, &fact, error);
    }
    return query_end(&q, ok ? error : NULL) && ok;
}

static bool tell_facts(struct archive *from, int64_t id, const struct fact_sink *to, GError **error)
{
    return replay_side(from, id, to, error) && replay_samples(from, id, to, error) &&
           tell_waits(from, id, 0, to, error) && tell_runs(from, id, to, error) &&
           tell_environment(from, id, to, error) && tell_skipped(from, id, to, error);
}

// Begins, tells and ends one source; `row` is of the query in replay().
static bool tell_source(struct archive *from, struct query *row, struct replay_target *to,
                        GError **error)
{
    struct settings set = settings_new();
    int64_t id = query_get_int(row, 0);
    struct source_fact source = {.path = keep(set.text, row, 1), .format = keep(set.text, row, 2)};
    struct source_summary summary = {
        .format = source.format,
        .bytes = (uint64_t)query_get_int(row, 4),
        .records = (uint64_t)query_get_int(row, 5),
        .skipped = (uint64_t)query_get_int(row, 6),
        .lost = (uint64_t)query_get_int(row, 7),
        .truncated = query_get_int(row, 8) != 0,
    };
    g_strlcpy(summary.sha256, keep(set.text, row, 3), sizeof summary.sha256);
    struct query q;
    query_begin(&q, from,
                "SELECT k.text, v.text, t.is_number FROM source_tag t JOIN string k ON k.id = "
                "t.key_id JOIN string v ON v.id = t.value_id WHERE t.source_id = ? ORDER BY "
                "k.text");
    query_int(&q, id);
    bool ok = read_settings(&q, &set, error);
    source.settings = (const void *)set.items->data;
    source.n_settings = set.items->len;
    if (ok && (ok = sink_source_begin(to->sink, &source, error))) {
        ok = tell_facts(from, id, to->sink, error);
        ok = sink_source_end(to->sink, &summary, ok, ok ? error : NULL) && ok;
    }
    settings_clear(&set);
    return ok;
}

bool replay_pass_over(struct replay_target *to, const char *what, GError *error)
{
    if (!to->left_out || !g_error_matches(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED))
        return false;
    g_ptr_array_add(to->left_out, g_strdup_printf("%s: %s", what, error->message));
    return true;
}

// Where damage may be met, a source is first told to nobody: a writer can't take lines back.
static bool is_readable(struct archive *from, struct query *row, struct replay_target *to,
                        GError **error)
{
    static const struct fact_sink nobody = {0};
    struct replay_target silent = {.sink = &nobody};
    return !to->left_out || tell_source(from, row, &silent, error);
}

static bool replay_source(struct archive *from, struct query *row, struct replay_target *to,
                          GError **error)
{
    g_autofree char *sha256 = query_get_text(row, 3);
    g_autofree char *what = g_strdup_printf("source %" G_GINT64_FORMAT, query_get_int(row, 0));
    g_autoptr(GError) inner = NULL;
    bool readable = is_readable(from, row, to, &inner);
    if (!readable && replay_pass_over(to, what, inner))
        return true;
    if (readable && to->source && !to->source(to->context, sha256, query_get_int(row, 9))) {
        to->known_sources++;
        return true;
    }
    if (readable && tell_source(from, row, to, &inner)) {
        to->stored_sources++;
        return true;
    }
    if (g_error_matches(inner, SPINFAULT_ERROR, SPINFAULT_ERROR_DUPLICATE)) {
        to->known_sources++;
        return true;
    }
    g_propagate_error(error, g_steal_pointer(&inner));
    return false;
}

static bool replay_all(struct archive *from, struct replay_target *to, GError **error)
{
    struct query q;
    bool ok = true;
    query_begin(&q, from,
                "SELECT id, path, format, sha256, bytes, records, skipped, lost, truncated, "
                "ingested_ns FROM source ORDER BY id");
    while (ok && query_row(&q))
        ok = replay_source(from, &q, to, error);
    g_autoptr(GError) inner = NULL;
    if (!query_end(&q, &inner) && ok && !replay_pass_over(to, "the list of sources", inner)) {
        g_propagate_error(error, g_steal_pointer(&inner));
        return false;
    }
    return ok && replay_scans(from, to, error);
}

bool replay(struct archive *from, struct replay_target *to, GError **error)
{
    if (!from->db)
        return true;
    // One reading transaction, so that all of it is of one moment.
    if (!archive_execute(from, "BEGIN", error))
        return false;
    bool ok = replay_all(from, to, error);
    archive_rollback(from);
    return ok;
}
