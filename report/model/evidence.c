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

#include <stdlib.h>
#include <string.h>

#define PROFILES_MOST 64 // read for evidence; the heaviest of each source come first

struct seen {
    uint64_t faults, waits, samples;
    GPtrArray
        *lines; // of struct faulted_line: where it faulted, where lines were recorded; or NULL
    double wait_share;
    const char *waiter;
    bool wait_drawn, fault_drawn; // in a profile that the page draws
};

struct faulted_line {
    const char *place; // "pool.c:112"
    uint64_t samples;
};

struct evidence_index {
    struct report_model *model; // keeps texts beyond the life of a tree
    GHashTable *seen;           // function -> struct seen
    bool profiles, faults_recorded, times_recorded;
    bool related; // some profile has one of the functions: it is of this program
};

static void seen_free(gpointer data)
{
    struct seen *seen = data;
    if (seen->lines)
        g_ptr_array_unref(seen->lines);
    g_free(seen);
}

void evidence_free(struct evidence_index *index)
{
    if (!index)
        return;
    g_hash_table_unref(index->seen);
    g_free(index);
}

// For each symbol the function of `functions` that it is, or NULL. A clone is its function:
// foo.isra.0 is foo.
static const char **functions_of(const struct stack_tree *tree, GHashTable *functions)
{
    const char **of = ARRAY_NEW(const char *, tree->symbols->len);
    for (guint i = 1; i < tree->symbols->len; i++) {
        const char *symbol = g_ptr_array_index(tree->symbols, i);
        void *key = NULL;
        if (!g_hash_table_lookup_extended(functions, symbol, &key, NULL)) {
            g_autofree char *plain = g_strdup(symbol);
            plain[strcspn(plain, ".@")] = '\0';
            if (!symbol_equal(symbol, plain) ||
                !g_hash_table_lookup_extended(functions, plain, &key, NULL))
                key = NULL;
        }
        of[i] = key;
    }
    return of;
}

// A tree with what is known of its symbols, by their number.
struct reading {
    const struct stack_tree *tree;
    const char *const *functions; // that have a finding; else NULL
    const bool *waits, *skipped;  // skipped: faults there are the caller's
    bool faults, drawn;
};

static const char *function_at(const struct reading *r, size_t node)
{
    return r->functions[r->tree->nodes[node].number];
}

static bool above(const struct reading *r, int32_t node, const char *function)
{
    for (; node > 0; node = r->tree->nodes[node].parent)
        if (function_at(r, (size_t)node) == function)
            return true;
    return false;
}

// A waiter waits on behalf of everybody above it that takes locks.
static void credit_wait(struct evidence_index *index, const struct reading *r, size_t waiter,
                        GHashTable *weights)
{
    const struct stack_node *nodes = r->tree->nodes;
    for (int32_t up = nodes[waiter].parent; up > 0; up = nodes[up].parent) {
        const char *function = function_at(r, (size_t)up);
        if (!function || above(r, nodes[up].parent, function))
            continue;
        struct seen *seen = g_hash_table_lookup(index->seen, function);
        seen->waits += nodes[waiter].total_samples;
        if (!seen->waiter)
            seen->waiter = model_keep(index->model, nodes[waiter].symbol);
        uint64_t *weight = g_hash_table_lookup(weights, function);
        if (!weight) {
            weight = g_new0(uint64_t, 1);
            g_hash_table_insert(weights, (char *)function, weight);
        }
        *weight += nodes[waiter].total;
    }
}

static bool is_helper(const char *symbol)
{
    static const char *const helpers[] = {"memcpy", "memmove", "memset", "memcmp",
                                          "strlen", "strcmp",  "strcpy", "memchr"};
    while (*symbol == '_')
        symbol++;
    for (size_t i = 0; i < G_N_ELEMENTS(helpers); i++)
        if (g_str_has_prefix(symbol, helpers[i]))
            return true;
    return false;
}

static bool in_kernel(const char *dso)
{
    return dso && (g_str_has_prefix(dso, "[kernel") || g_str_has_prefix(dso, "[guest"));
}

static bool faults_for_caller(const char *symbol, const char *dso)
{
    return in_kernel(dso) || is_helper(symbol);
}

// Whose fault it is: the innermost frame that is neither in the kernel, which handles it, nor a
// copy or compare function, which touches memory for its caller.
static int32_t faulting_node(const struct reading *r, int32_t node)
{
    for (; node > 0; node = r->tree->nodes[node].parent) {
        if (!in_kernel(r->tree->nodes[node].dso) && !r->skipped[r->tree->nodes[node].number])
            return node;
    }
    return 0;
}

static void read_node(struct evidence_index *index, const struct reading *r, size_t i)
{
    const struct stack_node *node = &r->tree->nodes[i];
    int32_t owner = r->faults && node->self_samples ? faulting_node(r, (int32_t)i) : 0;
    const char *faulting = owner ? function_at(r, (size_t)owner) : NULL;
    if (faulting) {
        struct seen *seen = g_hash_table_lookup(index->seen, faulting);
        seen->faults += node->self_samples;
        seen->fault_drawn |= r->drawn;
    }
    const char *function = function_at(r, i);
    index->related |= function != NULL;
    if (function && !above(r, node->parent, function)) {
        struct seen *seen = g_hash_table_lookup(index->seen, function);
        seen->samples += node->total_samples;
    }
}

static void read_nodes(struct evidence_index *index, const struct reading *r)
{
    g_autofree bool *waiting = ARRAY_NEW(bool, r->tree->n);
    g_autoptr(GHashTable) weights = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    for (size_t i = 1; i < r->tree->n; i++) {
        int32_t parent = r->tree->nodes[i].parent;
        bool waits = r->waits[r->tree->nodes[i].number];
        waiting[i] = waits || waiting[parent];
        if (waits && !waiting[parent] && !r->faults)
            credit_wait(index, r, i, weights);
        read_node(index, r, i);
    }
    GHashTableIter iter;
    void *function, *weight;
    g_hash_table_iter_init(&iter, weights);
    while (g_hash_table_iter_next(&iter, &function, &weight)) {
        struct seen *seen = g_hash_table_lookup(index->seen, function);
        double share = (double)*(uint64_t *)weight / (double)MAX(r->tree->nodes[0].total, 1);
        seen->wait_share = MAX(seen->wait_share, share);
        seen->wait_drawn |= r->drawn;
    }
}

static void read_tree(struct evidence_index *index, GHashTable *functions,
                      const struct stack_tree *tree, bool faults, bool drawn)
{
    guint n = tree->symbols->len;
    g_autofree const char **of = functions_of(tree, functions);
    g_autofree bool *waits = ARRAY_NEW(bool, n);
    g_autofree bool *skipped = ARRAY_NEW(bool, n);
    for (guint i = 0; i < n; i++) {
        waits[i] = symbol_waits(g_ptr_array_index(tree->symbols, i));
        skipped[i] = is_helper(g_ptr_array_index(tree->symbols, i));
    }
    struct reading r = {tree, of, waits, skipped, faults, drawn};
    read_nodes(index, &r);
}

// The lines at which functions faulted, where the profile has lines.
static bool read_lines(struct evidence_index *index, struct archive *archive,
                       const struct profile_row *profile, GError **error)
{
    g_autoptr(GPtrArray) rows =
        archive_profile_lines(archive, profile->id, faults_for_caller, error);
    for (guint i = 0; rows && i < rows->len; i++) {
        const struct line_row *row = g_ptr_array_index(rows, i);
        g_autofree char *plain = g_strdup(row->symbol);
        plain[strcspn(plain, ".@")] = '\0';
        struct seen *seen = g_hash_table_lookup(index->seen, plain);
        if (!seen || !row->line || !symbol_equal(row->symbol, plain))
            continue;
        if (!seen->lines)
            seen->lines = g_ptr_array_new_with_free_func(g_free);
        struct faulted_line *line = g_new(struct faulted_line, 1);
        *line = (struct faulted_line){model_keep(index->model, row->line), row->samples};
        g_ptr_array_add(seen->lines, line);
    }
    return rows != NULL;
}

static const struct flame *drawn_flame(const struct report_model *model,
                                       const struct profile_row *profile)
{
    for (guint i = 0; i < model->flames->len; i++) {
        const struct flame *flame = g_ptr_array_index(model->flames, i);
        if (!flame->part && flame->path == profile->path && flame->event == profile->event)
            return flame;
    }
    return NULL;
}

struct evidence_index *evidence_read(struct report_model *model, struct archive *archive,
                                     GHashTable *functions, GError **error)
{
    struct evidence_index *index = g_new0(struct evidence_index, 1);
    index->model = model;
    index->seen = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, seen_free);
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
            drawn ? drawn->samples->tree : archive_stack_tree(archive, profile->id, error);
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
        if (faults && !read_lines(index, archive, profile, error)) {
            evidence_free(index);
            return NULL;
        }
    }
    return index;
}

// Is it that line of that file? Debug information may have any directory before the name.
static bool same_place(const char *place, const char *file, unsigned line)
{
    const char *colon = strrchr(place, ':');
    g_autofree char *ours = g_path_get_basename(file);
    g_autofree char *path = colon ? g_strndup(place, (gsize)(colon - place)) : NULL;
    g_autofree char *theirs = path ? g_path_get_basename(path) : NULL;
    return theirs && strcmp(ours, theirs) == 0 && strtoul(colon + 1, NULL, 10) == line;
}

// Page faults at the finding's own line; at other lines of its function; the largest of those.
struct by_line {
    uint64_t here, elsewhere;
    const struct faulted_line *largest;
};

static struct by_line faults_by_line(const struct seen *seen, const char *file, unsigned line)
{
    struct by_line by = {0};
    for (guint i = 0; seen->lines && i < seen->lines->len; i++) {
        const struct faulted_line *l = g_ptr_array_index(seen->lines, i);
        if (file && same_place(l->place, file, line)) {
            by.here += l->samples;
            continue;
        }
        by.elsewhere += l->samples;
        if (!by.largest || l->samples > by.largest->samples)
            by.largest = l;
    }
    return by;
}

// Where lines were recorded, they have to agree; else the function is all that is known.
static enum evidence_state state_of(const struct evidence_index *index, const struct seen *seen,
                                    const struct by_line *by)
{
    if (!index->related)
        return EVIDENCE_NO_DATA;
    if (seen->lines ? by->here > 0 : seen->faults > 0)
        return EVIDENCE_CONFIRMED;
    if (seen->waits)
        return EVIDENCE_CONTENDED;
    return seen->samples || seen->faults ? EVIDENCE_SEEN : EVIDENCE_NOT_EXERCISED;
}

// "12 page-fault samples at this line, 3 at others (most at pool.c:120)"; NULL without lines.
static const char *line_words(struct report_model *model, const struct by_line *by)
{
    g_autofree char *here = text_with_commas(by->here);
    g_autofree char *elsewhere = text_with_commas(by->elsewhere);
    if (by->here && by->elsewhere)
        return model_text(model, "%s page-fault samples at this line, %s at others", here,
                          elsewhere);
    if (by->here)
        return model_text(model, "%s page-fault sample%s at this line", here,
                          by->here == 1 ? "" : "s");
    if (!by->elsewhere)
        return NULL;
    g_autofree char *name = g_path_get_basename(by->largest->place);
    return model_text(model,
                      "%s page-fault sample%s in the function, at other lines (most at `%s`)",
                      elsewhere, by->elsewhere == 1 ? "" : "s", name);
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
        return e->profiles ? "the profiles in the archive have none of these functions"
                           : "no profile in the archive";
    }
}

struct evidence evidence_of(const struct evidence_index *index, struct report_model *model,
                            const struct finding_fact *fact)
{
    const char *function = fact->function;
    static const struct seen nothing;
    const struct seen *seen = function ? g_hash_table_lookup(index->seen, function) : NULL;
    seen = seen ? seen : &nothing;
    struct by_line by = faults_by_line(seen, fact->file, fact->line);
    struct evidence e = {.state = state_of(index, seen, &by),
                         .fault_samples = seen->faults,
                         .wait_samples = seen->waits,
                         .samples = seen->samples,
                         .wait_share = seen->wait_share,
                         .waiter = seen->waiter,
                         .profiles = index->profiles,
                         .faults_recorded = index->faults_recorded,
                         .times_recorded = index->times_recorded};
    if (e.state == EVIDENCE_CONFIRMED && seen->fault_drawn)
        e.href = "#faultflame";
    else if (e.state == EVIDENCE_CONTENDED && seen->wait_drawn)
        e.href = "#flame";
    e.by_line = seen->lines != NULL;
    const char *lines = line_words(model, &by);
    e.text = sentence(model, &e);
    if (lines && e.state == EVIDENCE_CONFIRMED && !e.wait_samples)
        e.text = lines;
    else if (lines)
        e.text = model_text(model, "%s; %s", lines, e.text);
    return e;
}
