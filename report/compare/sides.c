// Which settings have to be equal for two runs to be compared: those that no condition names and
// that have values in common. What differs between the sides throughout cannot be matched; it is
// said instead.
#include "compare/sides.h"

#include <math.h>
#include <string.h>

#include "model/setup.h"

static const char *keep(struct sides *sides, const char *text)
{
    return text ? g_string_chunk_insert_const(sides->text, text) : "";
}

static const char *number(struct sides *sides, int64_t value)
{
    g_autofree char *text = value < 0 ? NULL : g_strdup_printf("%" G_GINT64_FORMAT, value);
    return keep(sides, text);
}

static const char *benchmark(struct sides *s, const struct side_run *r)
{
    return keep(s, r->row->benchmark);
}
static const char *workload(struct sides *s, const struct side_run *r)
{
    return keep(s, r->row->workload);
}
static const char *machine(struct sides *s, const struct side_run *r)
{
    return keep(s, r->row->instance ? r->row->instance : r->row->host);
}
static const char *arch(struct sides *s, const struct side_run *r)
{
    return keep(s, r->row->arch);
}
static const char *clients(struct sides *s, const struct side_run *r)
{
    return number(s, r->row->clients);
}
static const char *page(struct sides *s, const struct side_run *r)
{
    return keep(s, r->row->page);
}
static const char *preempt(struct sides *s, const struct side_run *r)
{
    return keep(s, r->row->preempt);
}
static const char *kernel(struct sides *s, const struct side_run *r)
{
    return keep(s, r->row->kernel);
}
static const char *study(struct sides *s, const struct side_run *r)
{
    return keep(s, r->study);
}

static const struct {
    const char *name;
    const char *const *aliases; // what conditions may call it
    const char *(*of)(struct sides *s, const struct side_run *r);
} columns[] = {
    {"benchmark", NULL, benchmark},
    {"workload", NULL, workload},
    {"machine", (const char *const[]){"instance", "host", NULL}, machine},
    {"page", (const char *const[]){"page_asked", "page_kind", NULL}, page},
    {"preempt", NULL, preempt},
    {"arch", NULL, arch},
    {"clients", NULL, clients},
    {"kernel", NULL, kernel},
    {"study", NULL, study},
};
enum { N_PLAIN = 5 }; // whose values say what they are

static bool names(const GPtrArray *conditions, const char *name)
{
    size_t length = strlen(name);
    for (guint i = 0; i < conditions->len; i++) {
        const char *condition = g_ptr_array_index(conditions, i);
        if (strncmp(condition, name, length) == 0 && condition[length] == '=')
            return true;
    }
    return false;
}

static bool asked(const GPtrArray *conditions, size_t column)
{
    bool found = names(conditions, columns[column].name);
    for (size_t i = 0; columns[column].aliases && columns[column].aliases[i]; i++)
        found |= names(conditions, columns[column].aliases[i]);
    return found;
}

static void add_runs(struct sides *sides, const GPtrArray *rows, GHashTable *metrics, bool fresh)
{
    for (guint i = 0; i < rows->len; i++) {
        const struct run_row *row = g_ptr_array_index(rows, i);
        const struct metric_row *metric = g_hash_table_lookup(metrics, &row->id);
        if (!metric || row->status != RUN_COMPLETE)
            continue;
        struct side_run run = {row, metric, setup_study(row, metric), NULL, fresh};
        g_array_append_val(sides->runs, run);
    }
}

// Tags of either side that say more than which repetition it was, in the order of their names.
static GPtrArray *tags_of(const struct sides *sides)
{
    g_autoptr(GPtrArray) rows = g_ptr_array_new();
    for (guint i = 0; i < sides->runs->len; i++)
        g_ptr_array_add(rows, (void *)g_array_index(sides->runs, struct side_run, i).row);
    return setup_tags(rows);
}

// Fills `values` of every run, and decides what each dimension is for.
static void add_dimension(struct sides *sides, const char *name, bool was_asked)
{
    guint at = sides->dimensions->len;
    struct dimension d = {name, at < N_PLAIN, was_asked ? DIMENSION_ASKED : DIMENSION_DIFFERS,
                          true};
    g_autoptr(GHashTable) base = g_hash_table_new(g_str_hash, g_str_equal);
    const char *first = NULL;
    bool two_sided = false;
    for (guint i = 0; i < sides->runs->len; i++) {
        const struct side_run *run = &g_array_index(sides->runs, struct side_run, i);
        const char *value = run->values[at];
        first = first ? first : value;
        d.constant &= strcmp(first, value) == 0;
        two_sided |= run->fresh;
        if (!run->fresh)
            g_hash_table_add(base, (char *)value);
        else if (!was_asked && g_hash_table_contains(base, value))
            d.use = DIMENSION_KEY;
    }
    if (!two_sided && !was_asked)
        d.use = DIMENSION_KEY;
    g_array_append_val(sides->dimensions, d);
}

// Does the dimension tell apart runs that those before it do not? `before` holds their values for
// each run, and gets this one's.
static bool tells(const struct sides *sides, guint at, char **before)
{
    g_autoptr(GHashTable) values = g_hash_table_new(g_str_hash, g_str_equal);
    bool needed = false;
    for (guint i = 0; i < sides->runs->len && !needed; i++) {
        const char *value = g_array_index(sides->runs, struct side_run, i).values[at];
        const char *other = g_hash_table_lookup(values, before[i]);
        needed = other && strcmp(other, value) != 0;
        g_hash_table_insert(values, before[i], (char *)value);
    }
    for (guint i = 0; i < sides->runs->len && needed; i++) {
        const char *value = g_array_index(sides->runs, struct side_run, i).values[at];
        char *longer = g_strconcat(before[i], "\001", value, NULL);
        g_free(before[i]);
        before[i] = longer;
    }
    return needed;
}

// The fewest dimensions, from the first on, that name a cell.
static void choose_labels(struct sides *sides)
{
    g_auto(GStrv) before = g_new0(char *, sides->runs->len + 1);
    for (guint i = 0; i < sides->runs->len; i++)
        before[i] = g_strdup("");
    for (guint d = 0; d < sides->dimensions->len; d++) {
        struct dimension *dimension = &g_array_index(sides->dimensions, struct dimension, d);
        dimension->tells =
            dimension->use == DIMENSION_KEY && !dimension->constant && tells(sides, d, before);
    }
}

static GHashTable *metrics_by_run(const GPtrArray *metrics, const char *name)
{
    GHashTable *by_run = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (guint i = 0; i < metrics->len; i++) {
        struct metric_row *metric = g_ptr_array_index(metrics, i);
        if (strcmp(metric->name, name) == 0 && setup_usable(metric) &&
            !g_hash_table_contains(by_run, &metric->run_id))
            g_hash_table_insert(by_run, &metric->run_id, metric);
    }
    return by_run;
}

struct sides *sides_new(const GPtrArray *base, const GPtrArray *fresh, const GPtrArray *metrics,
                        const char *metric, const GPtrArray *conditions)
{
    struct sides *sides = g_new0(struct sides, 1);
    sides->dimensions = g_array_new(FALSE, FALSE, sizeof(struct dimension));
    sides->runs = g_array_new(FALSE, FALSE, sizeof(struct side_run));
    sides->text = g_string_chunk_new(4096);
    sides->kept = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) by_run = metrics_by_run(metrics, metric);
    add_runs(sides, base, by_run, false);
    add_runs(sides, fresh, by_run, true);
    g_autoptr(GPtrArray) tags = tags_of(sides);
    size_t n = G_N_ELEMENTS(columns) + tags->len;
    for (guint i = 0; i < sides->runs->len; i++) {
        struct side_run *run = &g_array_index(sides->runs, struct side_run, i);
        run->values = g_new(const char *, n);
        g_ptr_array_add(sides->kept, run->values);
        for (size_t c = 0; c < G_N_ELEMENTS(columns); c++)
            run->values[c] = columns[c].of(sides, run);
        for (guint t = 0; t < tags->len; t++)
            run->values[G_N_ELEMENTS(columns) + t] =
                keep(sides, g_hash_table_lookup(run->row->tags, g_ptr_array_index(tags, t)));
    }
    for (size_t c = 0; c < G_N_ELEMENTS(columns); c++)
        add_dimension(sides, columns[c].name, asked(conditions, c));
    for (guint t = 0; t < tags->len; t++) {
        const char *tag = keep(sides, g_ptr_array_index(tags, t));
        add_dimension(sides, tag, names(conditions, tag));
    }
    choose_labels(sides);
    return sides;
}

void sides_free(struct sides *sides)
{
    if (!sides)
        return;
    g_array_free(sides->dimensions, TRUE);
    g_array_free(sides->runs, TRUE);
    g_string_chunk_free(sides->text);
    g_ptr_array_unref(sides->kept);
    g_free(sides);
}
