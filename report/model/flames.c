// Profiles to draw: the heaviest that counts time, and the heaviest that counts page faults.
#include "array.h"
#include <string.h>

#include "model/model.h"

static bool counts_faults(const char *event)
{
    return strstr(event, "fault") != NULL;
}

// The waiter that holds most of the weight, and the function that called it most. Only the
// outermost waiter of a chain counts, so that nothing counts twice.
static void find_waiter(struct flame *flame)
{
    const struct stack_tree *tree = flame->tree;
    const struct symbols *symbols = flame->symbols;
    guint n = symbols->names->len, best = n;
    g_autofree bool *waits = ARRAY_NEW(bool, n);
    g_autofree bool *below = ARRAY_NEW(bool, tree->n);
    g_autofree uint64_t *weights = ARRAY_NEW(uint64_t, n);
    for (guint i = 0; i < n; i++)
        waits[i] = symbol_waits(symbols_name(symbols, i));
    for (size_t i = 1; i < tree->n; i++) {
        const struct stack_node *node = &tree->nodes[i];
        guint symbol = symbols->of[i];
        below[i] = waits[symbol] || below[node->parent];
        if (!waits[symbol] || below[node->parent])
            continue;
        weights[symbol] += node->total;
        if (best == n || weights[symbol] > weights[best])
            best = symbol;
    }
    if (best == n)
        return;
    flame->waiter = symbols_name(symbols, best);
    flame->waiter_share = (double)weights[best] / (double)MAX(tree->nodes[0].total, 1);
    uint64_t most = 0;
    for (size_t i = 1; i < tree->n; i++) {
        const struct stack_node *node = &tree->nodes[i];
        if (symbols->of[i] == best && node->parent > 0 && node->total > most) {
            most = node->total;
            flame->caller = tree->nodes[node->parent].symbol;
        }
    }
}

static const struct profile_row *heaviest(const struct report_model *model, bool faults)
{
    const struct profile_row *best = NULL;
    for (guint i = 0; i < model->profiles->len; i++) {
        const struct profile_row *profile = g_ptr_array_index(model->profiles, i);
        if (profile->samples && counts_faults(profile->event) == faults &&
            (!best || profile->weight > best->weight))
            best = profile;
    }
    return best;
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

// Which samples the graph is of; all, when nothing else is asked for.
static struct sample_filter filter_of(const struct report_options *options, const struct flame *f)
{
    struct sample_filter filter = {.by_tid = options->thread != 0, .tid = options->thread};
    if (options->to_s > 0 && f->first_ns != INT64_MIN) {
        filter.by_time = true;
        filter.from_ns = f->first_ns + (int64_t)(options->from_s * 1e9);
        filter.to_ns = f->first_ns + (int64_t)(options->to_s * 1e9);
    }
    return filter;
}

static bool read_flame(struct flame *flame, const struct profile_row *profile,
                       const struct report_options *options, struct archive *archive,
                       GError **error)
{
    if (!archive_profile_span(archive, profile->id, &flame->first_ns, &flame->last_ns, error))
        return false;
    flame->bucket_ns = bucket_for(flame->last_ns - flame->first_ns);
    flame->times = archive_profile_times(archive, profile->id, flame->bucket_ns,
                                         FLAME_ROWS * FLAME_COLUMNS, error);
    flame->threads = flame->times ? archive_threads(archive, profile->id, error) : NULL;
    if (!flame->threads)
        return false;
    struct sample_filter filter = filter_of(options, flame);
    flame->part = filter.by_tid || filter.by_time;
    flame->tree = archive_stack_tree_of(archive, profile->id, &filter, error);
    if (!flame->tree || flame->tree->nodes[0].total_samples)
        return flame->tree != NULL;
    return error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                     "no sample of %s in %s is of that thread and time; \"spinfault archive show "
                     "profile ID\" shows what there is",
                     profile->event, profile->path);
}

bool model_add_flames(struct report_model *model, const struct report_options *options,
                      struct archive *archive, GError **error)
{
    for (int faults = 0; faults < 2; faults++) {
        const struct profile_row *profile = heaviest(model, faults);
        if (!profile)
            continue;
        struct flame *flame = g_new0(struct flame, 1);
        if (!read_flame(flame, profile, options, archive, error)) {
            flame_free(flame);
            return false;
        }
        flame->id = faults ? "faultflame" : "flame";
        flame->event = profile->event;
        flame->path = profile->path;
        flame->faults = faults;
        flame->symbols = symbols_new(flame->tree);
        find_waiter(flame);
        g_ptr_array_add(model->flames, flame);
    }
    return true;
}

// Functions with a finding, and which of them the page faults name most.
static void find_suspect(struct flame *flame)
{
    const struct stack_tree *tree = flame->tree;
    g_autofree uint64_t *weights = ARRAY_NEW(uint64_t, flame->symbols->names->len);
    uint64_t most = 0;
    for (size_t i = 1; i < tree->n; i++)
        weights[flame->symbols->of[i]] += tree->nodes[i].self;
    for (guint i = 0; i < flame->symbols->names->len; i++) {
        const char *name = symbols_name(flame->symbols, i);
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
