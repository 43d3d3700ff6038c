// The environment of the runs behind the main grid: what all of them share, and what differs. Two
// results are comparable only where everything but what is studied is the same, so differences come
// first and say in which cells.
#include <string.h>

#include "model/model.h"
#include "spinfault/base.h"

#define VALUES_MOST 6

struct fact {
    const char *key, *value;
    const struct run_row *run;
};

static void add_fact(GArray *facts, const struct run_row *run, const char *key, const char *value)
{
    if (!value || !*value)
        return;
    struct fact fact = {key, value, run};
    g_array_append_val(facts, fact);
}

static void add_number(struct report_model *model, GArray *facts, const struct run_row *run,
                       const char *key, int64_t value)
{
    if (value >= 0)
        add_fact(facts, run, key, model_text(model, "%" G_GINT64_FORMAT, value));
}

static GArray *collect(struct report_model *model, const struct grid *grid)
{
    GArray *facts = g_array_new(FALSE, FALSE, sizeof(struct fact));
    g_autoptr(GHashTable) done = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (guint i = 0; i < grid->run_ids->len; i++) {
        int64_t *id = &g_array_index(grid->run_ids, int64_t, i);
        const struct run_row *run = g_hash_table_lookup(model->runs_by_id, id);
        if (!run || !g_hash_table_add(done, id))
            continue;
        add_fact(facts, run, "benchmark", run->benchmark);
        add_fact(facts, run, "workload", run->workload);
        add_fact(facts, run, "host", run->host);
        add_fact(facts, run, "machine", run->instance);
        add_fact(facts, run, "architecture", run->arch);
        add_fact(facts, run, "kernel", run->kernel);
        add_fact(facts, run, "preemption mode", run->preempt);
        add_fact(facts, run, "preemption mode read from", run->preempt_source);
        add_fact(facts, run, "page size", run->page);
        add_number(model, facts, run, "clients", run->clients);
        add_number(model, facts, run, "vCPUs", run->vcpus);
        GHashTableIter iter;
        void *key, *value;
        g_hash_table_iter_init(&iter, run->tags);
        while (g_hash_table_iter_next(&iter, &key, &value))
            add_fact(facts, run, key, value);
    }
    return facts;
}

static int compare_facts(const void *a, const void *b)
{
    const struct fact *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    if (order == 0)
        order = strcmp(x->value, y->value);
    return order ? order : (x->run->id > y->run->id) - (x->run->id < y->run->id);
}

static const char *cell_name(struct report_model *model, const struct run_row *run)
{
    return model_text(model, "%s × %s", run->page ? run->page : "?", preempt_short(run->preempt));
}

// The cells of facts[from … to), each once: "4K × NONE, THP × NONE".
static const char *where(struct report_model *model, const GArray *facts, guint from, guint to)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    GString *out = g_string_new(NULL);
    for (guint i = from; i < to; i++) {
        const char *name = cell_name(model, g_array_index(facts, struct fact, i).run);
        if (!g_hash_table_add(seen, (char *)name))
            continue;
        g_string_append_printf(out, "%s%s", out->len ? ", " : "", name);
    }
    g_autofree char *text = g_string_free(out, FALSE);
    return model_keep(model, text);
}

// The runs that do not say, when others do.
static void add_silent(struct report_model *model, const GArray *facts, guint from, guint to,
                       GArray *values)
{
    g_autoptr(GHashTable) said = g_hash_table_new(g_direct_hash, g_direct_equal);
    g_autoptr(GArray) silent = g_array_new(FALSE, FALSE, sizeof(struct fact));
    for (guint i = from; i < to; i++)
        g_hash_table_add(said, (void *)g_array_index(facts, struct fact, i).run);
    for (guint i = 0; i < facts->len; i++) {
        struct fact fact = g_array_index(facts, struct fact, i);
        if (g_hash_table_add(said, (void *)fact.run))
            g_array_append_val(silent, fact);
    }
    if (!silent->len)
        return;
    struct setting_value v = {"not recorded", where(model, silent, 0, silent->len)};
    g_array_append_val(values, v);
}

static bool studied(const char *key)
{
    return strcmp(key, "page size") == 0 || strcmp(key, "preemption mode") == 0;
}

// What is another in most runs (a duration, a random seed) tells runs apart and not settings.
static bool is_of_the_run(const GArray *facts, guint from, guint to)
{
    guint distinct = 1;
    for (guint i = from + 1; i < to; i++)
        distinct += strcmp(g_array_index(facts, struct fact, i).value,
                           g_array_index(facts, struct fact, i - 1).value) != 0;
    return to - from >= 4 && 2 * distinct > to - from;
}

// "0.2 to 0.54", or how many there are where one is not a number.
static const char *range_of(struct report_model *model, const GArray *facts, guint from, guint to)
{
    double least = INFINITY, most = -INFINITY;
    for (guint i = from; i < to; i++) {
        double value;
        if (!slice_to_double(slice_from(g_array_index(facts, struct fact, i).value), &value))
            return model_text(model, "another in most of %u runs", to - from);
        least = fmin(least, value);
        most = fmax(most, value);
    }
    g_autofree char *lo = text_double(least), *hi = text_double(most);
    return model_text(model, "%s to %s, another in most runs", lo, hi);
}

// One item for the facts of one key, which are sorted by value.
static struct environment_item *item_new(struct report_model *model, const GArray *facts,
                                         guint from, guint to)
{
    struct environment_item *item = g_new0(struct environment_item, 1);
    item->key = g_array_index(facts, struct fact, from).key;
    item->values = g_array_new(FALSE, FALSE, sizeof(struct setting_value));
    item->studied = studied(item->key);
    if (!item->studied && is_of_the_run(facts, from, to)) {
        struct setting_value v = {range_of(model, facts, from, to), NULL};
        g_array_append_val(item->values, v);
        return item;
    }
    guint more = 0;
    for (guint i = from; i < to;) {
        const char *value = g_array_index(facts, struct fact, i).value;
        guint end = i;
        while (end < to && strcmp(g_array_index(facts, struct fact, end).value, value) == 0)
            end++;
        struct setting_value v = {value, item->studied ? NULL : where(model, facts, i, end)};
        if (item->values->len < VALUES_MOST)
            g_array_append_val(item->values, v);
        else
            more++;
        i = end;
    }
    if (more) {
        struct setting_value v = {model_text(model, "and %u more", more), NULL};
        g_array_append_val(item->values, v);
    }
    if (!item->studied)
        add_silent(model, facts, from, to, item->values);
    item->differs = item->values->len > 1;
    if (!item->differs)
        g_array_index(item->values, struct setting_value, 0).where = NULL;
    return item;
}

static int compare_items(const void *a, const void *b)
{
    const struct environment_item *x = *(struct environment_item *const *)a;
    const struct environment_item *y = *(struct environment_item *const *)b;
    int rank_x = x->studied ? 0 : x->differs ? 1 : 2, rank_y = y->studied ? 0 : y->differs ? 1 : 2;
    return rank_x != rank_y ? rank_x - rank_y : strcmp(x->key, y->key);
}

static void add_warm_up(struct report_model *model)
{
    if (!model->warm.runs)
        return;
    struct environment_item *item = g_new0(struct environment_item, 1);
    item->key = "warm-up";
    item->values = g_array_new(FALSE, FALSE, sizeof(struct setting_value));
    struct setting_value v = {model->warm_text, NULL};
    if (!v.value)
        v.value = model_text(model, "none seen in %u time series", model->warm.runs);
    g_array_append_val(item->values, v);
    g_ptr_array_add(model->environment, item);
}

void model_add_environment(struct report_model *model)
{
    const struct grid *grid = model_grid(model);
    if (!grid)
        return;
    g_autoptr(GArray) facts = collect(model, grid);
    g_array_sort(facts, compare_facts);
    for (guint i = 0; i < facts->len;) {
        const char *key = g_array_index(facts, struct fact, i).key;
        guint end = i;
        while (end < facts->len && strcmp(g_array_index(facts, struct fact, end).key, key) == 0)
            end++;
        g_ptr_array_add(model->environment, item_new(model, facts, i, end));
        i = end;
    }
    add_warm_up(model);
    g_ptr_array_sort(model->environment, compare_items);
}
