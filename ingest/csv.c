// Tables of results, of two shapes: a row a run, and a row a value (columns metric and value).
#include "csv.h"

#include "formats.h"
#include "metrics.h"
#include "server_table.h"
#include "settings.h"

struct parser {
    struct ingest *in;
    const struct table *table;
    struct csv_layout layout;
    GPtrArray *groups;  // of struct group: the runs of the long shape, in order of appearance
    GHashTable *by_key; // settings as text to struct group
};

struct wait {
    char *backend_type, *event_type, *event, *state;
    uint64_t count;
};

struct group {
    char *key;
    struct run_builder *run;
    struct group *again; // the same settings, where a metric came a second time
    GArray *waits;
};

static void wait_clear(gpointer data)
{
    struct wait *w = data;
    g_free(w->backend_type);
    g_free(w->event_type);
    g_free(w->event);
    g_free(w->state);
}

static void group_free(gpointer data)
{
    struct group *g = data;
    if (!g)
        return;
    group_free(g->again);
    run_builder_free(g->run);
    g_array_unref(g->waits);
    g_free(g->key);
    g_free(g);
}

static struct group *group_new(const char *key)
{
    struct group *g = g_new0(struct group, 1);
    g->key = g_strdup(key);
    g->run = run_builder_new("csv");
    g->waits = g_array_new(FALSE, FALSE, sizeof(struct wait));
    g_array_set_clear_func(g->waits, wait_clear);
    return g;
}

static struct slice cell(struct parser *p, size_t row, int column)
{
    return column < 0 ? SLICE_NULL : table_cell(p->table, row, (size_t)column);
}

// A page or a preemption mode that is none of the grid's stays as it was written, beside.
static void set_setting(struct run_builder *run, const char *key, struct slice value)
{
    char page[8];
    g_autofree char *text = text_printable(value);
    bool is_page = strcmp(key, "page") == 0 || strcmp(key, "page_asked") == 0;
    bool is_preempt = strcmp(key, "preempt") == 0;
    if ((is_page && !page_parse(text, page, NULL)) || (is_preempt && !preempt_parse(text))) {
        g_autofree char *beside = g_strconcat(key, "_reported", NULL);
        run_set(run, beside, value);
        return;
    }
    run_set(run, key, value);
}

// "1,024" clients are 1024.
static void set_number_setting(struct run_builder *run, const struct csv_column *c,
                               struct slice value)
{
    static const char *const counts[] = {"clients", "threads", "vcpus", "scale"};
    double number;
    for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
        if (strcmp(c->name, counts[i]) == 0 && c->numbers.kind == COLUMN_NUMBER &&
            !c->numbers.unit.data && number_parse(value, &c->numbers, &number)) {
            g_autofree char *text = text_double(number);
            run_set(run, c->name, slice_from(text));
            return;
        }
    }
    set_setting(run, c->name, value);
}

static void set_start(struct run_builder *run, struct slice value)
{
    g_autofree char *text = slice_dup(slice_trim(value));
    int64_t ns;
    if (text && text_to_time(text, &ns))
        run->started_ns = ns;
    else
        run_set(run, "started", value);
}

// Of words less means "missing" than of numbers: "none" is a preemption mode.
static bool word_is_missing(struct slice cell)
{
    static const char *const markers[] = {"", "-", "--", "?", "n/a", "N/A", "NULL", "\\N"};
    struct slice s = slice_trim(cell);
    for (size_t i = 0; i < G_N_ELEMENTS(markers); i++)
        if (slice_is(s, markers[i]))
            return true;
    return s.len == 0;
}

// What belongs to the run and not to one value.
static void set_run(struct parser *p, size_t row, struct run_builder *run)
{
    for (size_t i = 0; i < p->layout.n; i++) {
        const struct csv_column *c = &p->layout.columns[i];
        struct slice value = table_cell(p->table, row, i);
        enum run_status status;
        if (word_is_missing(value))
            continue;
        g_autofree char *text = text_printable(value);
        switch (c->role) {
        case ROLE_SETTING:
            set_number_setting(run, c, value);
            break;
        case ROLE_TAG:
            run_set(run, c->name, value);
            break;
        case ROLE_BENCHMARK:
            run->benchmark = run_text(run, value);
            break;
        case ROLE_WORKLOAD:
            run->workload = run_text(run, value);
            break;
        case ROLE_STARTED:
            set_start(run, value);
            break;
        case ROLE_STATUS:
            if (run_status_parse(text, &status))
                run->status = status;
            else
                run_set(run, "status", value);
            break;
        case ROLE_NOTE:
            if (!p->layout.is_long)
                run_set(run, "note", value);
            break;
        default:
            break;
        }
    }
}

// "config" and the like are no figures of a run, and no provenance of ours.
static void set_provenance(struct parser *p, size_t row, struct metric_fact *m)
{
    g_autofree char *text =
        slice_dup(slice_trim(cell(p, row, csv_find(&p->layout, ROLE_PROVENANCE))));
    int runs = csv_find(&p->layout, ROLE_RUNS), stddev = csv_find(&p->layout, ROLE_STDDEV);
    double value;
    if (text && *text && !provenance_parse(text, &m->provenance))
        m->provenance = PROVENANCE_CLAIMED;
    m->n = runs < 0 ? 1 : 0;
    if (runs >= 0 && number_parse(cell(p, row, runs), &p->layout.columns[runs].numbers, &value))
        count_from(value, &m->n);
    if (stddev >= 0 &&
        number_parse(cell(p, row, stddev), &p->layout.columns[stddev].numbers, &value))
        m->stddev = value;
}

// A cell's number. `unit` is set when it has one of its own that goes before that of the column;
// what is no unit makes it a word.
static bool figure(struct slice text, const struct csv_column *c, double *value, char **unit)
{
    struct slice own;
    const char *base;
    double factor;
    if (!number_parse_unit(text, &c->numbers, value, &own))
        return false;
    if (!own.data)
        return true;
    if (unit_parse(own, &base, &factor)) {
        *unit = slice_dup(own);
        return true;
    }
    return slice_equal(own, c->numbers.unit);
}

// --- a row a run -----------------------------------------------------------------------------

static bool wide_row(struct parser *p, size_t row, struct run_builder *run, GError **error)
{
    set_run(p, row, run);
    for (size_t i = 0; i < p->layout.n; i++) {
        const struct csv_column *c = &p->layout.columns[i];
        struct slice text = table_cell(p->table, row, i);
        double value = NAN;
        if (c->role != ROLE_METRIC)
            continue;
        g_autofree char *unit = NULL;
        bool there = figure(text, c, &value, &unit);
        struct metric_fact *m =
            run_metric(run, c->name, there ? value : NAN, unit ? unit : c->unit);
        set_provenance(p, row, m);
        if (!there)
            m->why = slice_trim(text).len == 0 ? "the field is empty" : run_text(run, text);
    }
    return run_deliver(run, p->in, error);
}

static bool parse_wide(struct parser *p, GError **error)
{
    g_autoptr(run_builder_t) run = run_builder_new("csv");
    for (size_t row = 0; row < p->table->rows; row++) {
        run->benchmark = "csv";
        if (!wide_row(p, row, run, error))
            return false;
    }
    return true;
}

// --- a row a value ---------------------------------------------------------------------------

// Everything that tells one run from another.
static char *row_key(struct parser *p, size_t row)
{
    GString *key = g_string_new(NULL);
    for (size_t i = 0; i < p->layout.n; i++) {
        struct slice value = table_cell(p->table, row, i);
        if (p->layout.columns[i].role <= ROLE_STATUS) {
            g_string_append_len(key, value.data, (gssize)value.len);
            g_string_append_c(key, '\x1f');
        }
    }
    return g_string_free(key, FALSE);
}

static struct group *find_group(struct parser *p, size_t row)
{
    g_autofree char *key = row_key(p, row);
    struct group *g = g_hash_table_lookup(p->by_key, key);
    if (!g) {
        g = group_new(key);
        set_run(p, row, g->run);
        g_ptr_array_add(p->groups, g);
        g_hash_table_insert(p->by_key, g->key, g);
    }
    return g;
}

// "client backend, active": what a note says of sessions that were seen waiting.
static void wait_from_note(struct slice note, struct wait *w)
{
    static const char *const states[] = {"active",
                                         "idle",
                                         "idle in transaction",
                                         "disabled",
                                         "idle in transaction (aborted)",
                                         "fastpath function call"};
    g_autofree char *text = text_printable(note);
    char *comma = strstr(text, ", ");
    if (!*text)
        return;
    if (!comma) {
        w->backend_type = g_strdup(text);
        return;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(states); i++) {
        if (strcmp(comma + 2, states[i]) != 0)
            continue;
        w->state = g_strdup(states[i]);
        w->backend_type = g_strndup(text, (size_t)(comma - text));
    }
}

// Metric "wait:EVENT_TYPE/EVENT".
static bool wait_row(struct parser *p, size_t row, const char *metric, struct group *g,
                     GError **error)
{
    const struct csv_layout *l = &p->layout;
    int value = csv_find(l, ROLE_VALUE), backend = csv_find(l, ROLE_BACKEND_TYPE);
    const char *event = metric + strlen("wait:"), *slash = strchr(event, '/');
    double count;
    uint64_t sessions;
    if (!slash || !number_parse(cell(p, row, value), &l->columns[value].numbers, &count) ||
        !count_from(count, &sessions))
        return ingest_skip(p->in, table_line(p->table, row),
                           "a wait event is wait:TYPE/EVENT with a count", slice_from(metric),
                           error);
    struct wait w = {.event_type = g_strndup(event, (size_t)(slash - event)),
                     .event = g_strdup(slash + 1),
                     .count = sessions};
    if (backend >= 0) {
        g_autofree char *type = slice_dup(cell(p, row, backend));
        g_autofree char *state = slice_dup(cell(p, row, csv_find(l, ROLE_STATE)));
        w.backend_type = type && *type ? g_steal_pointer(&type) : NULL;
        w.state = state && *state ? g_steal_pointer(&state) : NULL;
    } else {
        wait_from_note(cell(p, row, csv_find(l, ROLE_NOTE)), &w);
    }
    g_array_append_val(g->waits, w);
    return true;
}

static void metric_row(struct parser *p, size_t row, const char *name, struct group *g)
{
    const struct csv_layout *l = &p->layout;
    int value_column = csv_find(l, ROLE_VALUE);
    struct slice text = cell(p, row, value_column), note = cell(p, row, csv_find(l, ROLE_NOTE));
    g_autofree char *unit = slice_dup(slice_trim(cell(p, row, csv_find(l, ROLE_UNIT))));
    const char *standard = metric_standard_name(name);
    double value = NAN;
    // A metric that is there already is that of another run with the same settings.
    while (run_find_metric(g->run, standard ? standard : name)) {
        if (!g->again) {
            g->again = group_new(g->key);
            set_run(p, row, g->again->run);
        }
        g = g->again;
    }
    g_autofree char *own = NULL;
    bool there = figure(text, &l->columns[value_column], &value, &own);
    const char *source_unit = own ? own : unit && *unit ? unit : metric_unit(standard);
    struct metric_fact *m =
        run_metric(g->run, standard ? standard : name, there ? value : NAN, source_unit);
    set_provenance(p, row, m);
    if (!there)
        m->why = slice_trim(text).len == 0 ? "the field is empty" : run_text(g->run, text);
    else if (slice_trim(note).len > 0)
        m->why = run_text(g->run, note);
}

static bool long_row(struct parser *p, size_t row, GError **error)
{
    struct slice name = cell(p, row, csv_find(&p->layout, ROLE_METRIC_NAME));
    g_autofree char *metric = text_printable(slice_trim(name));
    struct group *g = find_group(p, row);
    if (!*metric)
        return ingest_skip(p->in, table_line(p->table, row), "no metric is named", name, error);
    if (g_str_has_prefix(metric, "wait:"))
        return wait_row(p, row, metric, g, error);
    metric_row(p, row, metric, g);
    return true;
}

static bool deliver_group(struct parser *p, struct group *g, GError **error)
{
    for (; g; g = g->again) {
        if (!run_deliver(g->run, p->in, error))
            return false;
        for (guint i = 0; i < g->waits->len; i++) {
            struct wait *w = &g_array_index(g->waits, struct wait, i);
            struct wait_fact fact = {.backend_type = w->backend_type,
                                     .event_type = w->event_type,
                                     .event = w->event,
                                     .state = w->state,
                                     .count = w->count,
                                     .t = NAN};
            if (!ingest_wait(p->in, &fact, error))
                return false;
        }
    }
    return true;
}

static bool parse_long(struct parser *p, GError **error)
{
    for (size_t row = 0; row < p->table->rows; row++)
        if (!long_row(p, row, error))
            return false;
    for (guint i = 0; i < p->groups->len; i++)
        if (!deliver_group(p, p->groups->pdata[i], error))
            return false;
    return true;
}

bool csv_deliver(struct ingest *in, const struct table *table, GError **error)
{
    struct parser p = {.in = in,
                       .table = table,
                       .groups = g_ptr_array_new_with_free_func(group_free),
                       .by_key = g_hash_table_new(g_str_hash, g_str_equal)};
    bool ok = csv_layout_init(&p.layout, in, table, error) &&
              (p.layout.is_long ? parse_long(&p, error) : parse_wide(&p, error));
    g_hash_table_unref(p.by_key);
    g_ptr_array_unref(p.groups);
    csv_layout_clear(&p.layout);
    return ok;
}

static bool parse(struct ingest *in, GError **error)
{
    char *text;
    size_t len;
    if (!csv_text(in, &text, &len, error))
        return false;
    g_autoptr(table_t) table = table_from_csv(in, text, len, error);
    return table && csv_deliver(in, table, error);
}

// A table whose header names something known is one of ours; any other may be anything.
static int detect(struct slice head)
{
    struct slice rest = head, line;
    char delimiter = csv_delimiter(head);
    unsigned names = 0, numbers = 0, known = 0;
    if (!delimiter)
        return 0;
    while (head_line(&rest, &line) &&
           (line.len == 0 || line.data[0] == '#' || slice_starts(line, "sep=")))
        continue;
    while (line.len > 0) {
        const char *at = memchr(line.data, delimiter, line.len);
        struct slice field =
            slice_trim((struct slice){line.data, at ? (size_t)(at - line.data) : line.len});
        double value;
        if (field.len > 1 && field.data[0] == '"')
            field = (struct slice){field.data + 1, field.len - 2};
        names += field.len > 0;
        numbers += slice_to_double(field, &value);
        known += csv_known_name(field);
        if (!at)
            break;
        line = (struct slice){at + 1, (size_t)(line.data + line.len - at) - 1};
    }
    if (names < 2 || numbers > 0)
        return 0;
    return known > 0 ? 40 : 15;
}

const struct ingest_format format_csv = {
    .name = "csv",
    .summary = "a table of results: a row a run, or a row a value (columns metric and value)",
    .detect = detect,
    .parse = parse,
};
