// The join of the two halves: findings name functions, and so do the frames of samples.
//
// For each function that has a section, over all profiles:
//   a waiter (s_lock and the like) below it in the chain: somebody waited for a lock it takes
//   a page-faults sample whose innermost frame it is, not counting the kernel's own frames and the
//   C library's copy functions: it faulted
//   any sample with it in the chain: it ran
// The grain is the function: a sample says neither which section of it nor which lock. A function
// that the compiler inlined is not in the chain, and is then "not exercised" although it may have
// run; the page says so.
#include "model/evidence.h"
#include "array.h"

#include <string.h>

#define PROFILES_MOST 64 // read for evidence; the heaviest of each source come first

struct seen {
    uint64_t faults, waits, samples;
    double wait_share;
    const char *waiter;
    bool wait_drawn, fault_drawn; // in a profile that the page draws
};

struct evidence_index {
    GHashTable *seen; // function -> struct seen
    bool profiles, faults_recorded, times_recorded;
};

void evidence_free(struct evidence_index *index)
{
    if (!index)
        return;
    g_hash_table_unref(index->seen);
    g_free(index);
}

// For each node the function of `functions` that it is, or NULL.
static const char **functions_of(const struct stack_tree *tree, GHashTable *functions)
{
    const char **of = ARRAY_NEW(const char *, tree->n);
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    for (size_t i = 1; i < tree->n; i++) {
        const char *symbol = tree->nodes[i].symbol;
        void *key = NULL;
        if (g_hash_table_lookup_extended(known, symbol, NULL, &key)) {
            of[i] = key;
            continue;
        }
        if (!g_hash_table_lookup_extended(functions, symbol, &key, NULL)) {
            // A clone: foo.isra.0 is foo.
            g_autofree char *plain = g_strdup(symbol);
            plain[strcspn(plain, ".@")] = '\0';
            if (!symbol_equal(symbol, plain) ||
                !g_hash_table_lookup_extended(functions, plain, &key, NULL))
                key = NULL;
        }
        g_hash_table_insert(known, (char *)symbol, key);
        of[i] = key;
    }
    return of;
}

static bool above(const struct stack_tree *tree, const char *const *of, int32_t node,
                  const char *function)
{
    for (; node > 0; node = tree->nodes[node].parent)
        if (of[node] == function)
            return true;
    return false;
}

// A waiter waits on behalf of everybody above it that takes locks.
static void credit_wait(struct evidence_index *index, const struct stack_tree *tree,
                        const char *const *of, size_t waiter, GHashTable *weights)
{
    for (int32_t up = tree->nodes[waiter].parent; up > 0; up = tree->nodes[up].parent) {
        if (!of[up] || above(tree, of, tree->nodes[up].parent, of[up]))
            continue;
        struct seen *seen = g_hash_table_lookup(index->seen, of[up]);
        seen->waits += tree->nodes[waiter].total_samples;
        seen->waiter = seen->waiter ? seen->waiter : tree->nodes[waiter].symbol;
        uint64_t *weight = g_hash_table_lookup(weights, of[up]);
        if (!weight) {
            weight = g_new0(uint64_t, 1);
            g_hash_table_insert(weights, (char *)of[up], weight);
        }
        *weight += tree->nodes[waiter].total;
    }
}

// Whose fault it is: the innermost frame that is neither in the kernel, which handles it, nor a
// copy or compare function, which touches memory for its caller.
static int32_t faulting_node(const struct stack_tree *tree, int32_t node)
{
    static const char *const helpers[] = {"memcpy", "memmove", "memset", "memcmp",
                                          "strlen", "strcmp",  "strcpy", "memchr"};
    for (; node > 0; node = tree->nodes[node].parent) {
        const char *symbol = tree->nodes[node].symbol, *dso = tree->nodes[node].dso;
        bool skip = dso && (g_str_has_prefix(dso, "[kernel") || g_str_has_prefix(dso, "[guest"));
        while (*symbol == '_')
            symbol++;
        for (size_t i = 0; i < G_N_ELEMENTS(helpers) && !skip; i++)
            skip = g_str_has_prefix(symbol, helpers[i]);
        if (!skip)
            return node;
    }
    return 0;
}

static void read_tree(struct evidence_index *index, GHashTable *functions,
                      const struct stack_tree *tree, bool faults, bool drawn)
{
    g_autofree const char **of = functions_of(tree, functions);
    g_autofree bool *waiting = ARRAY_NEW(bool, tree->n ? tree->n : 1);
    g_autoptr(GHashTable) weights = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    for (size_t i = 1; i < tree->n; i++) {
        const struct stack_node *node = &tree->nodes[i];
        bool waits = symbol_waits(node->symbol);
        waiting[i] = waits || waiting[node->parent];
        if (waits && !waiting[node->parent] && !faults)
            credit_wait(index, tree, of, i, weights);
        int32_t owner = faults && node->self_samples ? faulting_node(tree, (int32_t)i) : 0;
        if (owner && of[owner]) {
            struct seen *seen = g_hash_table_lookup(index->seen, of[owner]);
            seen->faults += node->self_samples;
            seen->fault_drawn |= drawn;
        }
        if (of[i] && !above(tree, of, node->parent, of[i])) {
            struct seen *seen = g_hash_table_lookup(index->seen, of[i]);
            seen->samples += node->total_samples;
        }
    }
    GHashTableIter iter;
    void *function, *weight;
    g_hash_table_iter_init(&iter, weights);
    while (g_hash_table_iter_next(&iter, &function, &weight)) {
        struct seen *seen = g_hash_table_lookup(index->seen, function);
        double share = (double)*(uint64_t *)weight / (double)MAX(tree->nodes[0].total, 1);
        seen->wait_share = MAX(seen->wait_share, share);
        seen->wait_drawn |= drawn;
    }
}

static const struct flame *drawn_flame(const struct report_model *model,
                                       const struct profile_row *profile)
{
    for (guint i = 0; i < model->flames->len; i++) {
        const struct flame *flame = g_ptr_array_index(model->flames, i);
        if (flame->path == profile->path && flame->event == profile->event)
            return flame;
    }
    return NULL;
}

struct evidence_index *evidence_read(struct report_model *model, struct archive *archive,
                                     GHashTable *functions, GError **error)
{
    struct evidence_index *index = g_new0(struct evidence_index, 1);
    index->seen = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    GHashTableIter iter;
    void *function;
    g_hash_table_iter_init(&iter, functions);
    while (g_hash_table_iter_next(&iter, &function, NULL))
        g_hash_table_insert(index->seen, function, g_new0(struct seen, 1));
    for (guint i = 0; i < model->profiles->len && i < PROFILES_MOST; i++) {
        const struct profile_row *profile = g_ptr_array_index(model->profiles, i);
        bool faults = strstr(profile->event, "fault") != NULL;
        const struct flame *drawn = drawn_flame(model, profile);
        struct stack_tree *tree =
            drawn ? drawn->tree : archive_stack_tree(archive, profile->id, error);
        if (!tree) {
            evidence_free(index);
            return NULL;
        }
        index->profiles = true;
        index->faults_recorded |= faults;
        index->times_recorded |= !faults;
        read_tree(index, functions, tree, faults, drawn != NULL);
        if (!drawn)
            stack_tree_free(tree);
    }
    return index;
}

static enum evidence_state state_of(const struct evidence_index *index, const struct seen *seen)
{
    if (!index->profiles)
        return EVIDENCE_NO_DATA;
    if (seen->faults)
        return EVIDENCE_CONFIRMED;
    if (seen->waits)
        return EVIDENCE_CONTENDED;
    return seen->samples ? EVIDENCE_SEEN : EVIDENCE_NOT_EXERCISED;
}

static const char *sentence(struct report_model *model, const struct evidence *e)
{
    g_autofree char *faults = text_with_commas(e->fault_samples);
    g_autofree char *waits = text_with_commas(e->wait_samples);
    g_autofree char *samples = text_with_commas(e->samples);
    switch (e->state) {
    case EVIDENCE_CONFIRMED:
        if (e->wait_samples)
            return model_text(model,
                              "%s page-fault samples in the function; %s samples wait in `%s` "
                              "below it, %.1f %% of that profile",
                              faults, waits, e->waiter, e->wait_share * 100);
        return model_text(model, "%s page-fault samples in the function; %s", faults,
                          e->times_recorded ? "nobody seen waiting"
                                            : "whether others wait was not recorded");
    case EVIDENCE_CONTENDED:
        return model_text(model, "%s samples wait in `%s` below it, %.1f %% of that profile%s",
                          waits, e->waiter, e->wait_share * 100,
                          e->faults_recorded ? "; no page fault sampled in it"
                                             : "; page faults were not recorded");
    case EVIDENCE_SEEN:
        return model_text(model, "in %s samples%s", samples,
                          e->faults_recorded ? "" : "; page faults were not recorded");
    case EVIDENCE_NOT_EXERCISED:
        return "in no recorded call chain";
    default:
        return "no profile in the archive";
    }
}

struct evidence evidence_of(const struct evidence_index *index, struct report_model *model,
                            const char *function)
{
    static const struct seen nothing;
    const struct seen *seen = function ? g_hash_table_lookup(index->seen, function) : NULL;
    seen = seen ? seen : &nothing;
    struct evidence e = {.state = state_of(index, seen),
                         .fault_samples = seen->faults,
                         .wait_samples = seen->waits,
                         .samples = seen->samples,
                         .wait_share = seen->wait_share,
                         .waiter = seen->waiter ? model_keep(model, seen->waiter) : NULL,
                         .faults_recorded = index->faults_recorded,
                         .times_recorded = index->times_recorded};
    if (e.state == EVIDENCE_CONFIRMED && seen->fault_drawn)
        e.href = "#faultflame";
    else if (e.state == EVIDENCE_CONTENDED && seen->wait_drawn)
        e.href = "#flame";
    e.text = sentence(model, &e);
    return e;
}
