// Profiles to draw: of each event the heaviest. First the heaviest that counts time, then the
// heaviest that counts page faults.
#include <string.h>

#include "array.h"
#include "model/model.h"

#define FLAMES_MOST 6u // events

static bool counts_faults(const char *event)
{
    return strstr(event, "fault") != NULL;
}

// The waiter that holds most of the weight, and the function that called it most. Only the
// outermost waiter of a chain counts, so that nothing counts twice.
static void find_waiter(struct flame *flame)
{
    const struct stack_tree *tree = flame->tree;
    guint n = tree->symbols->len, best = n;
    g_autofree bool *waits = ARRAY_NEW(bool, n);
    g_autofree bool *below = ARRAY_NEW(bool, tree->n);
    g_autofree uint64_t *weights = ARRAY_NEW(uint64_t, n);
    for (guint i = 0; i < n; i++)
        waits[i] = symbol_waits(g_ptr_array_index(tree->symbols, i));
    for (size_t i = 1; i < tree->n; i++) {
        const struct stack_node *node = &tree->nodes[i];
        guint symbol = node->number;
        below[i] = waits[symbol] || below[node->parent];
        if (!waits[symbol] || below[node->parent])
            continue;
        weights[symbol] += node->total;
        if (best == n || weights[symbol] > weights[best])
            best = symbol;
    }
    if (best == n)
        return;
    flame->waiter = g_ptr_array_index(tree->symbols, best);
    flame->waiter_share = (double)weights[best] / (double)MAX(tree->nodes[0].total, 1);
    uint64_t most = 0;
    for (size_t i = 1; i < tree->n; i++) {
        const struct stack_node *node = &tree->nodes[i];
        if (node->number == best && node->parent > 0 && node->total > most) {
            most = node->total;
            flame->caller = tree->nodes[node->parent].symbol;
        }
    }
}

// The heaviest profile whose event is wanted; NULL when there is none.
static const struct profile_row *heaviest(const struct report_model *model,
                                          bool (*wanted)(const struct report_model *model,
                                                         const char *event))
{
    const struct profile_row *best = NULL;
    for (guint i = 0; i < model->profiles->len; i++) {
        const struct profile_row *profile = g_ptr_array_index(model->profiles, i);
        if (profile->samples && wanted(model, profile->event) &&
            (!best || profile->weight > best->weight))
            best = profile;
    }
    return best;
}

static bool is_time(const struct report_model *model, const char *event)
{
    (void)model;
    return !counts_faults(event);
}

static bool is_fault(const struct report_model *model, const char *event)
{
    (void)model;
    return counts_faults(event);
}

static bool is_new(const struct report_model *model, const char *event)
{
    for (guint i = 0; i < model->flames->len; i++)
        if (strcmp(((struct flame *)g_ptr_array_index(model->flames, i))->event, event) == 0)
            return false;
    return true;
}

// Buckets of a round length, so that a row of ten is a column and there are at most COLUMNS_MOST.
static int64_t bucket_for(int64_t span_ns)
{
    static const int64_t steps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
    int64_t unit = 1000000; // a millisecond
    for (;; unit *= 1000)
        for (size_t i = 0; i < G_N_ELEMENTS(steps); i++)
            if (span_ns / (steps[i] * unit * FLAME_ROWS) < FLAME_COLUMNS)
                return steps[i] * unit;
}

char *flame_thread(const struct thread_row *thread)
{
    const char *comm = thread->comm ? thread->comm : "thread";
    if (thread->tid < 0)
        return g_strdup(comm);
    return g_strdup_printf("%s %" G_GINT64_FORMAT, comm, thread->tid);
}

static void add_times(struct flame *flame)
{
    const struct profile_samples *s = flame->samples;
    flame->bucket_ns = bucket_for(s->last_ns - s->first_ns);
    flame->times = g_array_new(FALSE, TRUE, sizeof(uint64_t));
    if (s->first_ns == INT64_MIN)
        return;
    g_array_set_size(flame->times, (guint)((s->last_ns - s->first_ns) / flame->bucket_ns) + 1);
    for (guint i = 0; i < s->rows->len; i++) {
        const struct sample_row *row = &g_array_index(s->rows, struct sample_row, i);
        if (row->time_ns != INT64_MIN)
            g_array_index(flame->times, uint64_t, flame_bucket(flame, row)) += row->weight;
    }
}

// Which samples the graph is of; all, when nothing else is asked for.
static struct sample_filter filter_of(const struct report_options *options,
                                      const struct profile_samples *samples)
{
    struct sample_filter filter = {.by_tid = options->thread != 0, .tid = options->thread};
    if (options->to_s > 0 && samples->first_ns != INT64_MIN) {
        filter.by_time = true;
        filter.from_ns = samples->first_ns + (int64_t)(options->from_s * 1e9);
        filter.to_ns = samples->first_ns + (int64_t)(options->to_s * 1e9);
    }
    return filter;
}

static bool read_flame(struct flame *flame, const struct profile_row *profile,
                       const struct report_options *options, struct archive *archive,
                       GError **error)
{
    flame->samples = archive_profile_samples(archive, profile->id, error);
    if (!flame->samples)
        return false;
    add_times(flame);
    struct sample_filter filter = filter_of(options, flame->samples);
    flame->part = filter.by_tid || filter.by_time;
    flame->tree = flame->samples->tree;
    if (!flame->part)
        return true;
    flame->tree = flame->own = archive_stack_tree_of(archive, profile->id, &filter, error);
    if (!flame->tree || flame->tree->nodes[0].total_samples)
        return flame->tree != NULL;
    return error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                     "no sample of %s in %s is of that thread and time; \"spinfault archive show "
                     "profile ID\" shows what there is",
                     profile->event, profile->path);
}

static bool add_flame(struct report_model *model, const char *id, const struct profile_row *profile,
                      const struct report_options *options, struct archive *archive, GError **error)
{
    struct flame *flame = g_new0(struct flame, 1);
    flame->id = id;
    flame->event = profile->event;
    flame->path = profile->path;
    flame->faults = counts_faults(profile->event);
    if (!read_flame(flame, profile, options, archive, error)) {
        flame_free(flame);
        return false;
    }
    find_waiter(flame);
    g_ptr_array_add(model->flames, flame);
    return true;
}

bool model_add_flames(struct report_model *model, const struct report_options *options,
                      struct archive *archive, GError **error)
{
    const struct profile_row *time = heaviest(model, is_time), *faults = heaviest(model, is_fault);
    if (time && !add_flame(model, "flame", time, options, archive, error))
        return false;
    if (faults && !add_flame(model, "faultflame", faults, options, archive, error))
        return false;
    const struct profile_row *other;
    while (model->flames->len < FLAMES_MOST && (other = heaviest(model, is_new)))
        if (!add_flame(model, model_text(model, "flame-%u", model->flames->len + 1), other, options,
                       archive, error))
            return false;
    return true;
}

// Functions with a finding, and which of them the page faults name most.
static void find_suspect(struct flame *flame)
{
    const struct stack_tree *tree = flame->tree;
    g_autofree uint64_t *weights = ARRAY_NEW(uint64_t, tree->symbols->len);
    uint64_t most = 0;
    for (size_t i = 1; i < tree->n; i++)
        weights[tree->nodes[i].number] += tree->nodes[i].self;
    for (guint i = 0; i < tree->symbols->len; i++) {
        const char *name = g_ptr_array_index(tree->symbols, i);
        if (weights[i] > most && g_hash_table_contains(flame->suspects, name)) {
            most = weights[i];
            flame->suspect = name;
        }
    }
    flame->suspect_share = (double)most / (double)MAX(tree->nodes[0].total, 1);
}

void model_add_suspects(struct report_model *model)
{
    for (guint f = 0; f < model->flames->len; f++) {
        struct flame *flame = g_ptr_array_index(model->flames, f);
        if (!flame->faults || !model->findings->len)
            continue;
        flame->suspects = g_hash_table_new(g_str_hash, g_str_equal);
        for (guint i = 0; i < model->findings->len; i++) {
            const struct finding *finding = g_ptr_array_index(model->findings, i);
            if (finding->fact->function)
                g_hash_table_add(flame->suspects, (char *)finding->fact->function);
        }
        find_suspect(flame);
    }
}
