// Conditions on runs: KEY=VALUE and a time.
#include "filter.h"

#include <string.h>

#define BY_ID(column, table, name)                                                                 \
    " AND r." column " IN (SELECT id FROM " table " WHERE " name " = ?)"

// What a key means. A key that is not here is a tag.
static const struct {
    const char *key;
    const char *is;    // one bound value
    const char *unset; // for KEY=unknown and KEY=
    char kind;         // 'n' a number, 'm' a preempt mode, 'p' a page size, 't' text
} columns[] = {
    {"preempt", " AND r.preempt = ?", " AND r.preempt IS NULL", 'm'},
    {"page", " AND r.page = ?", " AND r.page IS NULL", 'p'},
    {"page_asked", " AND r.page_asked = ?", " AND r.page_asked IS NULL", 'p'},
    {"page_kind", " AND r.page_kind = ?", " AND r.page_kind IS NULL", 't'},
    {"clients", " AND r.clients = ?", " AND r.clients IS NULL", 'n'},
    {"threads", " AND r.threads = ?", " AND r.threads IS NULL", 'n'},
    {"status", " AND r.status = ?", " AND r.status IS NULL", 't'},
    {"run", " AND r.id = ?", " AND r.id IS NULL", 'n'},
    {"source", " AND r.source_id = ?", " AND r.source_id IS NULL", 'n'},
    {"kernel", BY_ID("kernel_id", "string", "text"), " AND r.kernel_id IS NULL", 't'},
    {"benchmark", BY_ID("workload_id", "workload", "benchmark"), " AND r.workload_id IS NULL", 't'},
    {"workload", BY_ID("workload_id", "workload", "name"),
     " AND r.workload_id IN (SELECT id FROM workload WHERE name IS NULL)", 't'},
    {"host", BY_ID("host_id", "host", "name"), " AND r.host_id IS NULL", 't'},
    {"instance", BY_ID("host_id", "host", "instance"), " AND r.host_id IS NULL", 't'},
    {"arch", BY_ID("host_id", "host", "arch"), " AND r.host_id IS NULL", 't'},
    {"vcpus", BY_ID("host_id", "host", "vcpus"), " AND r.host_id IS NULL", 'n'},
};

static const char tag_is[] =
    " AND r.id IN (SELECT run_id FROM run_tag WHERE key_id = (SELECT id FROM string WHERE text = ?)"
    " AND value_id = (SELECT id FROM string WHERE text = ?))";

static void add(struct filter *f, const char *sql, const char *value)
{
    g_string_append(f->sql, sql);
    if (value)
        g_ptr_array_add(f->values, g_strdup(value));
}

static bool add_tag(struct filter *f, struct archive *archive, const char *key, const char *value,
                    bool known, GError **error)
{
    struct query q;
    query_begin(&q, archive,
                "SELECT 1 FROM run_tag WHERE key_id = (SELECT id FROM string WHERE text = ?) "
                "LIMIT 1");
    query_text(&q, key);
    while (query_row(&q))
        known = true;
    if (!query_end(&q, error))
        return false;
    if (!known && archive->db)
        return error_set(error, SPINFAULT_ERROR_UNKNOWN,
                         "no run in %s has a setting '%s'; \"spinfault archive list\" shows what "
                         "they have",
                         archive->path, key);
    add(f, tag_is, key);
    g_ptr_array_add(f->values, g_strdup(value));
    return true;
}

// The value as its column holds it; NULL when the column never does.
static const char *normalise(char kind, const char *value, char page[8])
{
    int64_t number;
    if (kind == 'm')
        return preempt_parse(value);
    if (kind == 'p')
        return page_parse(value, page, NULL) ? page : NULL;
    if (kind == 'n')
        return slice_to_i64(slice_from(value), &number) ? value : NULL;
    return value;
}

static bool add_condition(struct filter *f, struct archive *archive, const char *condition,
                          GError **error)
{
    const char *equals = strchr(condition, '=');
    if (!equals || equals == condition)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "'%s' is no condition; write KEY=VALUE, such as preempt=lazy", condition);
    g_autofree char *key = g_strndup(condition, (gsize)(equals - condition));
    const char *value = equals + 1;
    for (size_t i = 0; i < G_N_ELEMENTS(columns); i++) {
        char page[8];
        if (strcmp(columns[i].key, key) != 0)
            continue;
        if (!*value || strcmp(value, "unknown") == 0) {
            add(f, columns[i].unset, NULL);
            return true;
        }
        const char *normal = normalise(columns[i].kind, value, page);
        if (!normal) // a value that the column did not take was kept as a tag
            return add_tag(f, archive, key, value, true, error);
        add(f, columns[i].is, normal);
        return true;
    }
    return add_tag(f, archive, key, value, false, error);
}

bool filter_init(struct filter *f, struct archive *archive, const struct run_filter *asked,
                 GError **error)
{
    *f = (struct filter){g_string_new(NULL), g_ptr_array_new_with_free_func(g_free)};
    for (size_t i = 0; asked && asked->where && asked->where[i]; i++) {
        if (add_condition(f, archive, asked->where[i], error))
            continue;
        filter_clear(f);
        return false;
    }
    if (asked && asked->since_ns != INT64_MIN) {
        g_autofree char *since = g_strdup_printf("%" G_GINT64_FORMAT, asked->since_ns);
        // Said this way the index is used; as a plain comparison it is not, for ORDER BY r.id.
        add(f, " AND r.id IN (SELECT id FROM run WHERE started_ns >= ?)", since);
    }
    return true;
}

void filter_clear(struct filter *f)
{
    if (f->sql)
        g_string_free(f->sql, true);
    if (f->values)
        g_ptr_array_free(f->values, true);
    *f = (struct filter){0};
}

void filter_bind(const struct filter *f, struct query *q)
{
    // Numbers bound as text compare right: the columns have INTEGER affinity.
    for (guint i = 0; i < f->values->len; i++)
        query_text(q, f->values->pdata[i]);
}
