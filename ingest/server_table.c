// What a server's tables mean, by the names of their columns.
#include "server_table.h"

#include "metrics.h"
#include "number.h"

bool is_wait_event_type(struct slice s)
{
    static const char *const types[] = {"Activity",  "BufferPin", "Client", "CPU",
                                        "Extension", "IO",        "IPC",    "InjectionPoint",
                                        "LWLock",    "Lock",      "Timeout"};
    for (size_t i = 0; i < G_N_ELEMENTS(types); i++)
        if (slice_is(s, types[i]))
            return true;
    return false;
}

static int find_any(const struct table *t, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int column = table_find(t, names[i]);
        if (column >= 0)
            return column;
    }
    return -1;
}

#define FIND(t, ...)                                                                               \
    find_any(t, (const char *const[]){__VA_ARGS__},                                                \
             sizeof(const char *const[]){__VA_ARGS__} / sizeof(const char *))

// What people make psql print for NULL.
static bool is_null(struct slice s)
{
    static const char *const marks[] = {"",       "-",      "(null)",   "[null]",      "<null>",
                                        "<NULL>", "NULL",   "null",     "\\N",         "n/a",
                                        "(NULL)", "[NULL]", "\xC2\xA4", "\xE2\x88\x85"};
    for (size_t i = 0; i < G_N_ELEMENTS(marks); i++)
        if (slice_is(s, marks[i]))
            return true;
    return s.len == 0;
}

// The cell's text, NULL for one that is null. The caller's.
static char *cell_text(const struct table *t, size_t row, int column)
{
    if (column < 0)
        return NULL;
    struct slice s = slice_trim(table_cell(t, row, (size_t)column));
    return is_null(s) ? NULL : text_printable(s);
}

static double cell_time(const struct table *t, size_t row, int column)
{
    g_autofree char *text = cell_text(t, row, column);
    int64_t ns;
    double seconds;
    if (!text)
        return NAN;
    // "+00" without minutes is how PostgreSQL prints a zone, and no ISO 8601 that GLib takes.
    size_t len = strlen(text);
    g_autofree char *full = len > 3 && (text[len - 3] == '+' || (text[len - 3] == '-' && len > 19))
                                ? g_strconcat(text, ":00", NULL)
                                : g_strdup(text);
    if (text_to_time(full, &ns))
        return (double)ns / 1e9;
    return slice_to_double(slice_from(text), &seconds) && seconds > 1e9 ? seconds : NAN;
}

static bool deliver_waits(struct ingest *in, const struct table *t, double when, GError **error)
{
    int type = FIND(t, "wait_event_type", "event_type", "wait_type");
    int event = FIND(t, "wait_event", "event"), state = FIND(t, "state");
    int backend = FIND(t, "backend_type"), time = FIND(t, "ts", "t", "time", "now", "sampled_at");
    int count = FIND(t, "count", "n", "samples", "sessions", "cnt");
    for (size_t row = 0; row < t->rows; row++) {
        double at = cell_time(t, row, time);
        uint64_t sessions = 1;
        if (count >= 0 && !number_count(table_cell(t, row, (size_t)count), &sessions)) {
            if (!ingest_skip(in, table_line(t, row), "no count of sessions", SLICE_NULL, error))
                return false;
            continue;
        }
        g_autofree char *a = cell_text(t, row, backend), *b = cell_text(t, row, type);
        g_autofree char *c = cell_text(t, row, event), *d = cell_text(t, row, state);
        struct wait_fact fact = {.backend_type = a,
                                 .event_type = b,
                                 .event = c,
                                 .state = d,
                                 .count = sessions,
                                 .t = isfinite(at) ? at : when};
        if (!ingest_wait(in, &fact, error))
            return false;
    }
    return true;
}

static bool deliver_settings(struct ingest *in, const struct table *t, int name, int setting,
                             GError **error)
{
    int unit = FIND(t, "unit");
    for (size_t row = 0; row < t->rows; row++) {
        g_autofree char *key = cell_text(t, row, name), *u = cell_text(t, row, unit);
        g_autofree char *value = text_printable(slice_trim(table_cell(t, row, (size_t)setting)));
        struct environment_fact fact = {
            .scope = "server", .source = "pg_settings", .key = key, .value = value, .unit = u};
        if (key && !ingest_environment(in, &fact, error))
            return false;
    }
    return true;
}

// SHOW, and queries with one row: a value a column.
static bool deliver_values(struct ingest *in, const struct table *t, GError **error)
{
    for (size_t i = 0; i < t->columns; i++) {
        g_autofree char *key = text_printable(slice_trim(table_name(t, i)));
        g_autofree char *value = text_printable(slice_trim(table_cell(t, 0, i)));
        struct environment_fact fact = {.scope = "server",
                                        .source = "query",
                                        .key = key,
                                        .value = value};
        if (*key && !ingest_environment(in, &fact, error))
            return false;
    }
    return true;
}

// Names with sizes or counts beside them: "Buffer Blocks | 536870912".
static bool deliver_pairs(struct ingest *in, const struct table *t, GError **error)
{
    g_autofree char *what = text_printable(slice_trim(table_name(t, 1)));
    for (size_t row = 0; row < t->rows; row++) {
        g_autofree char *name = cell_text(t, row, 0), *value = cell_text(t, row, 1);
        if (!name || !value)
            continue;
        g_autofree char *key = g_strdup_printf("%s/%s", what, name);
        struct environment_fact fact = {.scope = "server",
                                        .source = "query",
                                        .key = key,
                                        .value = value};
        if (!ingest_environment(in, &fact, error))
            return false;
    }
    return true;
}

// Is there a figure of a run in it?
static bool has_metric(const struct table *t)
{
    for (size_t i = 0; i < t->columns; i++) {
        g_autofree char *name = slice_dup(slice_trim(table_name(t, i)));
        if (name && metric_standard_name(name))
            return true;
    }
    return false;
}

bool server_column_is_known(struct slice name)
{
    static const char *const names[] = {
        "wait_event_type", "wait_event", "backend_type", "state", "event_type",
        "wait_type",       "setting",    "count",        "name",  "unit"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (slice_is(name, names[i]))
            return true;
    return false;
}

bool server_table_deliver(struct ingest *in, const struct table *t, double when, GError **error)
{
    int name = FIND(t, "name"), setting = FIND(t, "setting");
    if (FIND(t, "wait_event_type", "event_type", "wait_type", "wait_event") >= 0)
        return deliver_waits(in, t, when, error);
    if (name >= 0 && setting >= 0)
        return deliver_settings(in, t, name, setting, error);
    if (has_metric(t))
        return csv_deliver(in, t, error);
    if (t->rows == 1)
        return deliver_values(in, t, error);
    if (t->columns == 2 && name == 0)
        return deliver_pairs(in, t, error);
    return csv_deliver(in, t, error);
}
