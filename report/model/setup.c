// Runs are put into setups: same benchmark, workload, machine, clients, and every free tag the
// same, but for tags that say what is being compared (page size, preemption, kernel), where a
// number comes from, or which repetition it is.
#include "model/setup.h"

#include <string.h>

#include "spinfault/base.h"

static const char *const not_setup[] = {
    "page",    "page_asked", "page_kind", "huge_pages", "huge_kb",    "thp",
    "preempt", "kernel",     "source",    "note",       "runs",       "run",
    "rep",     "round",      "order",     "iteration",  "position",   "seq",
    "seed",    "started",    "date",      "time",       "file",       "provenance",
    "url",     "host",       "threads",   "pid",        "repetition", "duration_s",
};

static bool listed(const char *key)
{
    for (size_t i = 0; i < G_N_ELEMENTS(not_setup); i++)
        if (g_ascii_strcasecmp(key, not_setup[i]) == 0)
            return true;
    return false;
}

static int compare_strings(const void *a, const void *b, void *unused)
{
    (void)unused;
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_one(GHashTable *counts, void *key)
{
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, key));
    g_hash_table_insert(counts, key, GUINT_TO_POINTER(n + 1));
}

// Tags that have another value in most runs (a duration, a random seed) tell runs apart, not
// setups.
static GHashTable *replicate_tags(const GPtrArray *runs)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) distinct = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) times = g_hash_table_new(g_str_hash, g_str_equal);
    GHashTable *replicates = g_hash_table_new(g_str_hash, g_str_equal);
    GHashTableIter iter;
    void *key, *value, *n;
    for (guint i = 0; i < runs->len; i++) {
        const struct run_row *run = g_ptr_array_index(runs, i);
        g_hash_table_iter_init(&iter, run->tags);
        while (g_hash_table_iter_next(&iter, &key, &value)) {
            add_one(times, key);
            if (g_hash_table_add(seen, g_strconcat(key, "\001", value, NULL)))
                add_one(distinct, key);
        }
    }
    g_hash_table_iter_init(&iter, times);
    while (g_hash_table_iter_next(&iter, &key, &n)) {
        guint values = GPOINTER_TO_UINT(g_hash_table_lookup(distinct, key));
        if (GPOINTER_TO_UINT(n) >= 4 && 2 * values > GPOINTER_TO_UINT(n))
            g_hash_table_add(replicates, key);
    }
    return replicates;
}

GPtrArray *setup_tags(const GPtrArray *runs)
{
    g_autoptr(GHashTable) replicates = replicate_tags(runs);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    GPtrArray *tags = g_ptr_array_new();
    GHashTableIter iter;
    void *name;
    for (guint i = 0; i < runs->len; i++) {
        const struct run_row *run = g_ptr_array_index(runs, i);
        g_hash_table_iter_init(&iter, run->tags);
        while (g_hash_table_iter_next(&iter, &name, NULL))
            if (!listed(name) && !g_hash_table_contains(replicates, name) &&
                g_hash_table_add(seen, name))
                g_ptr_array_add(tags, name);
    }
    g_ptr_array_sort_with_data(tags, compare_strings, NULL);
    return tags;
}

static char *setup_key(const struct run_row *run, GHashTable *replicates)
{
    GString *key = g_string_new(NULL);
    g_string_append_printf(key, "%s\001%s\001%s\001%" G_GINT64_FORMAT, run->benchmark,
                           run->workload ? run->workload : "",
                           run->instance ? run->instance
                           : run->host   ? run->host
                                         : "",
                           run->clients);
    g_autoptr(GPtrArray) tags = g_ptr_array_new();
    GHashTableIter iter;
    void *name;
    g_hash_table_iter_init(&iter, run->tags);
    while (g_hash_table_iter_next(&iter, &name, NULL))
        if (!listed(name) && !g_hash_table_contains(replicates, name))
            g_ptr_array_add(tags, name);
    g_ptr_array_sort_with_data(tags, compare_strings, NULL);
    for (guint i = 0; i < tags->len; i++) {
        const char *tag = g_ptr_array_index(tags, i);
        g_string_append_printf(key, "\001%s=%s", tag,
                               (const char *)g_hash_table_lookup(run->tags, tag));
    }
    return g_string_free(key, FALSE);
}

bool setup_usable(const struct metric_row *metric)
{
    return !isnan(metric->value) && (metric->provenance == PROVENANCE_MEASURED ||
                                     metric->provenance == PROVENANCE_PUBLISHED);
}

// Runs of a setup mostly follow each other, and what they have in common is then the same text.
static bool same_setup(const struct run_row *a, const struct run_row *b)
{
    return a->benchmark == b->benchmark && a->workload == b->workload &&
           a->instance == b->instance && a->host == b->host && a->clients == b->clients &&
           a->tags == b->tags;
}

static bool in_grid(const struct run_row *run)
{
    return run->status == RUN_COMPLETE && (run->page || run->preempt);
}

// Of metrics that as many runs have, a throughput says most: "tps", else what is better when
// higher.
static guint preference(const struct metric_row *metric)
{
    if (strcmp(metric->name, "tps") == 0)
        return 2;
    return metric->better == BETTER_HIGHER;
}

struct chosen {
    GHashTable *counts; // name -> number
    const struct metric_row *best;
    guint most;
};

static void consider(struct chosen *c, const struct metric_row *metric, guint weight)
{
    if (!setup_usable(metric) || metric->better == BETTER_UNKNOWN)
        return;
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(c->counts, metric->name)) + weight;
    g_hash_table_insert(c->counts, metric->name, GUINT_TO_POINTER(n));
    if (n > c->most || (n == c->most && preference(metric) > preference(c->best))) {
        c->most = n;
        c->best = metric;
    }
}

const char *setup_main_metric(const GPtrArray *metrics)
{
    g_autoptr(GHashTable) counts = g_hash_table_new(g_str_hash, g_str_equal);
    struct chosen c = {counts, NULL, 0};
    for (guint i = 0; i < metrics->len; i++)
        consider(&c, g_ptr_array_index(metrics, i), 1);
    return g_hash_table_contains(counts, "tps") ? "tps" : c.best ? c.best->name : NULL;
}

// Every metric of which is known what is better, in the order in which they first appear.
static GPtrArray *known_metrics(const GPtrArray *metrics)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < metrics->len; i++) {
        const struct metric_row *m = g_ptr_array_index(metrics, i);
        if (setup_usable(m) && m->better != BETTER_UNKNOWN && g_hash_table_add(seen, m->name))
            g_ptr_array_add(names, m->name);
    }
    return names;
}

GPtrArray *setup_metrics(const GPtrArray *metrics, const char *const *asked, GError **error)
{
    if (asked && strcmp(asked[0], "all") == 0)
        return known_metrics(metrics);
    GPtrArray *names = g_ptr_array_new();
    for (size_t i = 0; asked && asked[i]; i++)
        g_ptr_array_add(names, (char *)asked[i]);
    const char *best = asked ? NULL : setup_main_metric(metrics);
    if (best)
        g_ptr_array_add(names, (char *)best);
    if (names->len)
        return names;
    g_ptr_array_unref(names);
    error_set(error, SPINFAULT_ERROR_NOT_FOUND,
              "these runs have no metric of which is known whether more or less is better");
    return NULL;
}

const char *setup_metric(const struct report_model *model)
{
    g_autoptr(GHashTable) counts = g_hash_table_new(g_str_hash, g_str_equal);
    struct chosen c = {counts, NULL, 0};
    for (guint i = 0; i < model->metrics->len; i++) {
        const struct metric_row *metric = g_ptr_array_index(model->metrics, i);
        const struct run_row *run = g_hash_table_lookup(model->runs_by_id, &metric->run_id);
        // A point of the grid counts for more than any number of runs outside it.
        if (run && run->status == RUN_COMPLETE)
            consider(&c, metric, in_grid(run) ? 1000 : 1);
    }
    guint tps = GPOINTER_TO_UINT(g_hash_table_lookup(counts, "tps"));
    return tps >= 1000 || (tps && c.most < 1000) ? "tps" : c.best ? c.best->name : NULL;
}

static void setup_free(gpointer data)
{
    struct setup *setup = data;
    g_free(setup->key);
    g_array_free(setup->points, TRUE);
    g_free(setup);
}

const char *setup_study(const struct run_row *run, const struct metric_row *metric)
{
    if (metric->provenance != PROVENANCE_PUBLISHED)
        return NULL;
    const char *source = g_hash_table_lookup(run->tags, "source");
    return source ? source : run->path;
}

static struct setup *setup_new(char *key)
{
    struct setup *setup = g_new0(struct setup, 1);
    setup->key = key;
    setup->points = g_array_new(FALSE, FALSE, sizeof(struct point));
    return setup;
}

GPtrArray *setup_split(const struct report_model *model, const char *metric_name)
{
    GPtrArray *setups = g_ptr_array_new_with_free_func(setup_free);
    g_autoptr(GHashTable) by_key = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) replicates = replicate_tags(model->runs);
    const struct run_row *before = NULL;
    struct setup *setup = NULL;
    for (guint i = 0; i < model->metrics->len; i++) {
        const struct metric_row *metric = g_ptr_array_index(model->metrics, i);
        const struct run_row *run = g_hash_table_lookup(model->runs_by_id, &metric->run_id);
        if (!run || run->status != RUN_COMPLETE || !setup_usable(metric) ||
            strcmp(metric->name, metric_name) != 0)
            continue;
        if (!before || !same_setup(before, run)) {
            g_autofree char *key = setup_key(run, replicates);
            setup = g_hash_table_lookup(by_key, key);
            if (!setup) {
                setup = setup_new(g_steal_pointer(&key));
                g_hash_table_insert(by_key, setup->key, setup);
                g_ptr_array_add(setups, setup);
            }
        }
        before = run;
        struct point point = {run, metric, setup_study(run, metric)};
        g_array_append_val(setup->points, point);
    }
    return setups;
}
