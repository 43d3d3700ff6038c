// The stack tree of a profile, for flame graphs.
//
// The archive's tree has a node for each call site; a flame graph has one for each function under
// its caller. So: weights by archive node, sums towards the root, then nodes of the same function
// under the same parent become one. Nodes without a sample of this profile are left out: another
// event of the source made them.
#include "intern.h"
#include "query.h"
#include "stack_block.h"

struct node_weight {
    uint64_t self, total, self_samples, total_samples;
};

// Everything that goes into a tree while it is made.
struct growing {
    struct archive *archive;
    int64_t profile_id, source_id;
    const struct sample_filter *filter;
    GArray *nodes;               // struct node_key of the archive
    struct node_weight *weights; // by archive node
    struct node_table functions; // (symbol, dso), rows of string
    GArray *of_frame;            // uint32_t function by frame
    struct node_table merged;    // (merged parent, function)
    uint32_t *place;             // in the merged tree, by archive node
    GHashTable *names;           // row of string -> char* in the tree's text
};

static bool find_source(struct growing *g, GError **error)
{
    struct query q;
    query_begin(&q, g->archive, "SELECT source_id FROM profile WHERE id = ?");
    query_int(&q, g->profile_id);
    while (query_row(&q))
        g->source_id = query_get_int(&q, 0);
    if (!query_end(&q, error))
        return false;
    return g->source_id ||
           error_set(error, SPINFAULT_ERROR_NOT_FOUND, "%s has no profile %" G_GINT64_FORMAT,
                     g->archive->path, g->profile_id);
}

static bool out_of_range(struct growing *g, const char *what, int64_t id, GError **error)
{
    return error_set(error, SPINFAULT_ERROR_DAMAGED,
                     "%s: a sample of profile %" G_GINT64_FORMAT " names %s %" G_GINT64_FORMAT
                     ", which is not there; \"spinfault archive verify\" says what else is damaged",
                     g->archive->path, g->profile_id, what, id);
}

static bool read_weights(struct growing *g, GError **error)
{
    struct query q;
    int64_t bad = -1;
    g->weights = g_new0(struct node_weight, g->nodes->len);
    const struct sample_filter *f = g->filter;
    query_begin(&q, g->archive,
                "SELECT node, weight FROM sample s WHERE source_id = ?1 AND profile_id = ?2 "
                "AND (?3 IS NULL OR time_ns >= ?3) AND (?4 IS NULL OR time_ns < ?4) "
                "AND (?5 IS NULL OR (SELECT tid FROM thread t WHERE t.source_id = ?1 AND "
                "t.id = s.thread) = ?5)");
    query_int(&q, g->source_id);
    query_int(&q, g->profile_id);
    query_int_if(&q, f->by_time, f->from_ns);
    query_int_if(&q, f->by_time, f->to_ns);
    query_int_if(&q, f->by_tid, f->tid);
    while (bad < 0 && query_row(&q)) {
        int64_t node = query_get_int(&q, 0);
        if (node < 0 || node >= g->nodes->len) {
            bad = node;
            continue;
        }
        g->weights[node].self += (uint64_t)query_get_int(&q, 1);
        g->weights[node].self_samples++;
    }
    if (!query_end(&q, error))
        return false;
    if (bad >= 0)
        return out_of_range(g, "stack", bad, error);
    for (guint i = g->nodes->len; i-- > 0;) {
        struct node_weight *w = &g->weights[i];
        w->total += w->self;
        w->total_samples += w->self_samples;
        if (i == 0)
            break;
        struct node_weight *up = &g->weights[g_array_index(g->nodes, struct node_key, i).parent];
        up->total += w->total;
        up->total_samples += w->total_samples;
    }
    return true;
}

static bool read_frames(struct growing *g, GError **error)
{
    struct query q;
    g->of_frame = g_array_new(false, true, sizeof(uint32_t));
    query_begin(&q, g->archive,
                "SELECT id, coalesce(symbol_id, 0), coalesce(dso_id, 0) FROM frame "
                "WHERE source_id = ? ORDER BY id");
    query_int(&q, g->source_id);
    while (query_row(&q)) {
        guint id = (guint)query_get_int(&q, 0);
        if (id >= g->of_frame->len)
            g_array_set_size(g->of_frame, id + 1);
        g_array_index(g->of_frame, uint32_t, id) =
            node_table_add(&g->functions, (uint32_t)query_get_int(&q, 1),
                           (uint32_t)query_get_int(&q, 2));
    }
    return query_end(&q, error);
}

// The texts of all frames at once: asked for one by one they cost more than all the rest.
static bool read_names(struct growing *g, struct stack_tree *tree, GError **error)
{
    struct query q;
    query_begin(&q, g->archive,
                "SELECT id, text FROM string WHERE id IN (SELECT symbol_id FROM frame WHERE "
                "source_id = ?1 UNION SELECT dso_id FROM frame WHERE source_id = ?1)");
    query_int(&q, g->source_id);
    while (query_row(&q)) {
        g_autofree char *text = query_get_text(&q, 1);
        if (text)
            g_hash_table_insert(g->names, GUINT_TO_POINTER((guint)query_get_int(&q, 0)),
                                g_string_chunk_insert(tree->text, text));
    }
    return query_end(&q, error);
}

static const char *name_of(struct growing *g, uint32_t row, GError **error)
{
    if (!row)
        return "[unknown]";
    const char *known = g_hash_table_lookup(g->names, GUINT_TO_POINTER(row));
    if (!known)
        error_set(
            error, SPINFAULT_ERROR_DAMAGED,
            "%s: text %u is not there; \"spinfault archive verify\" says what else is damaged",
            g->archive->path, row);
    return known;
}

static void add_weight(struct stack_node *to, const struct node_weight *w)
{
    to->self += w->self;
    to->total += w->total;
    to->self_samples += w->self_samples;
    to->total_samples += w->total_samples;
}

static bool merge(struct growing *g, struct stack_tree *tree, GError **error)
{
    uint32_t *place = g->place = g_new0(uint32_t, g->nodes->len);
    tree->nodes = g_new0(struct stack_node, g->nodes->len);
    tree->n = 1;
    tree->nodes[0] = (struct stack_node){.parent = -1, .symbol = "all", .dso = ""};
    add_weight(&tree->nodes[0], &g->weights[0]);
    for (guint i = 1; i < g->nodes->len; i++) {
        const struct node_key *node = &g_array_index(g->nodes, struct node_key, i);
        if (!g->weights[i].total_samples)
            continue;
        if (node->frame == 0 || node->frame >= g->of_frame->len)
            return out_of_range(g, "frame", node->frame, error);
        uint32_t function = g_array_index(g->of_frame, uint32_t, node->frame);
        uint32_t parent = place[node->parent];
        place[i] = node_table_add(&g->merged, parent, function);
        struct stack_node *to = &tree->nodes[place[i]];
        if (place[i] == tree->n) {
            const struct node_key *pair = &g->functions.items[function];
            to->parent = (int32_t)parent;
            to->symbol = name_of(g, pair->parent, error);
            to->dso = to->symbol ? name_of(g, pair->frame, error) : NULL;
            if (!to->dso)
                return false;
            tree->n++;
        }
        add_weight(to, &g->weights[i]);
    }
    return true;
}

struct stack_tree *archive_stack_tree_of(struct archive *archive, int64_t profile_id,
                                         const struct sample_filter *filter, GError **error)
{
    struct growing g = {.archive = archive, .profile_id = profile_id, .filter = filter};
    struct stack_tree *tree = g_new0(struct stack_tree, 1);
    tree->text = g_string_chunk_new(4096);
    node_table_init(&g.functions);
    node_table_init(&g.merged);
    g.names = g_hash_table_new(NULL, NULL);
    bool ok = find_source(&g, error) &&
              (g.nodes = stack_blocks_read(archive, g.source_id, error)) != NULL &&
              read_weights(&g, error) && read_frames(&g, error) && read_names(&g, tree, error) &&
              merge(&g, tree, error);
    node_table_clear(&g.functions);
    node_table_clear(&g.merged);
    g_hash_table_destroy(g.names);
    g_free(g.weights);
    g_free(g.place);
    if (g.nodes)
        g_array_free(g.nodes, true);
    if (g.of_frame)
        g_array_free(g.of_frame, true);
    if (ok)
        return tree;
    stack_tree_free(tree);
    return NULL;
}

struct stack_tree *archive_stack_tree(struct archive *archive, int64_t profile_id, GError **error)
{
    return archive_stack_tree_of(archive, profile_id, &(struct sample_filter){0}, error);
}

void stack_tree_free(struct stack_tree *tree)
{
    if (!tree)
        return;
    g_free(tree->nodes);
    g_string_chunk_free(tree->text);
    g_free(tree);
}
