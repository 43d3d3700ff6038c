// The stack tree of a profile, for flame graphs.
//
// The archive's tree has a node for each call site; a flame graph has one for each function under
// its caller. So: weights by archive node, sums towards the root, then nodes of the same function
// under the same parent become one. Nodes without a sample of this profile are left out: another
// event of the source made them.
#include "query_stacks.h"

#include "intern.h"
#include "query.h"
#include "stack_block.h"

#include <string.h>

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
    uint32_t *line_of;           // row of string by frame; NULL: no frame has a source line
    struct node_table merged;    // (merged parent, function)
    uint32_t *place;             // in the merged tree, by archive node
    uint64_t *line_weights;      // of the line that a node of the merged tree has
    uint32_t *name_at;           // index into `names`, by row of string; or WANTED
    uint32_t last_name;          // the highest row
    GArray *names;               // struct name; the first is UNKNOWN
    struct stack_tree *tree;
    GArray *rows; // of struct sample_row: the samples are asked for too; or NULL
};

#define UNKNOWN     "[unknown]"
#define WANTED      UINT32_MAX
#define PASSED_MOST 64u // rows of `string` that nobody wants, before the next one is looked up

struct name {
    const char *text;
    uint32_t number; // as a symbol of the tree; 0: it is none so far
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
                "SELECT node, weight, thread, time_ns FROM sample s WHERE source_id = ?1 AND "
                "profile_id = ?2 "
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
        struct sample_row row = {.node = (uint32_t)node, .weight = (uint64_t)query_get_int(&q, 1)};
        g->weights[node].self += row.weight;
        g->weights[node].self_samples++;
        if (!g->rows)
            continue;
        row.thread = (uint32_t)query_get_int(&q, 2);
        row.time_ns = query_get_int_or(&q, 3, INT64_MIN);
        g_array_append_val(g->rows, row);
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

static uint32_t highest_frame(const struct growing *g)
{
    uint32_t highest = 0;
    for (guint i = 1; i < g->nodes->len; i++)
        highest = MAX(highest, g_array_index(g->nodes, struct node_key, i).frame);
    return highest;
}

static void set_line(struct growing *g, uint32_t highest, uint32_t frame, uint32_t line)
{
    if (!g->line_of)
        g->line_of = g_new0(uint32_t, (gsize)highest + 1);
    g->line_of[frame] = line;
    g->last_name = MAX(g->last_name, line);
}

static bool read_frames(struct growing *g, GError **error)
{
    struct query q;
    g->of_frame = g_array_new(false, true, sizeof(uint32_t));
    uint32_t highest = highest_frame(g);
    node_table_reserve(&g->functions, MIN(highest, g->nodes->len));
    query_begin(&q, g->archive,
                "SELECT id, coalesce(symbol_id, 0), coalesce(dso_id, 0), coalesce(srcline_id, 0) "
                "FROM frame WHERE source_id = ? ORDER BY id");
    query_int(&q, g->source_id);
    while (query_row(&q)) {
        guint id = (guint)query_get_int(&q, 0);
        if (id >= g->of_frame->len)
            g_array_set_size(g->of_frame, id + 1);
        g_array_index(g->of_frame, uint32_t, id) =
            node_table_add(&g->functions, (uint32_t)query_get_int(&q, 1),
                           (uint32_t)query_get_int(&q, 2));
        uint32_t line = (uint32_t)query_get_int(&q, 3);
        if (line && id <= highest)
            set_line(g, highest, id, line);
    }
    return query_end(&q, error);
}

static void want_name(struct growing *g, uint32_t row)
{
    if (row)
        g->name_at[row] = WANTED;
}

// Marks the texts that frames have.
static void want_names(struct growing *g)
{
    const struct node_key *pairs = g->functions.items;
    for (uint32_t i = 1; i <= g->functions.n; i++)
        g->last_name = MAX(g->last_name, MAX(pairs[i].parent, pairs[i].frame));
    g->name_at = g_new0(uint32_t, (gsize)g->last_name + 1);
    for (uint32_t i = 1; i <= g->functions.n; i++) {
        want_name(g, pairs[i].parent);
        want_name(g, pairs[i].frame);
    }
    for (guint i = 1; g->line_of && i < g->nodes->len; i++)
        want_name(g, g->line_of[g_array_index(g->nodes, struct node_key, i).frame]);
}

static void add_name(struct growing *g, const struct query *q, uint32_t row)
{
    g_autofree char *text = query_get_text(q, 1);
    struct name name = {g_string_chunk_insert(g->tree->text, text), 0};
    bool unknown = strcmp(text, UNKNOWN) == 0; // printed like that, it is the same as without text
    g->name_at[row] = unknown ? 0 : g->names->len;
    if (!unknown)
        g_array_append_val(g->names, name);
}

// The texts of a source mostly stand together in the table, and to read on is ten times cheaper
// than to look a row up. Where the next one is far away it is looked up.
static bool read_names(struct growing *g, GError **error)
{
    struct name unknown = {UNKNOWN, 0};
    g->names = g_array_new(false, false, sizeof(struct name));
    g_array_append_val(g->names, unknown);
    want_names(g);
    for (uint32_t next = 1; next <= g->last_name; next++) {
        if (g->name_at[next] != WANTED)
            continue;
        struct query q;
        uint32_t row = next;
        query_begin(&q, g->archive, "SELECT id, text FROM string WHERE id >= ? ORDER BY id");
        query_int(&q, next);
        for (unsigned passed = 0; passed < PASSED_MOST && query_row(&q); passed++) {
            int64_t id = query_get_int(&q, 0);
            if (id > g->last_name)
                break;
            row = (uint32_t)id;
            if (g->name_at[row] != WANTED)
                continue;
            add_name(g, &q, row);
            passed = 0;
        }
        if (!query_end(&q, error))
            return false;
        next = row;
    }
    return true;
}

static struct name *name_of(struct growing *g, uint32_t row, GError **error)
{
    uint32_t at = row ? g->name_at[row] : 0;
    if (at != WANTED)
        return &g_array_index(g->names, struct name, at);
    error_set(error, SPINFAULT_ERROR_DAMAGED,
              "%s: text %u is not there; \"spinfault archive verify\" says what else is damaged",
              g->archive->path, row);
    return NULL;
}

static void add_weight(struct stack_node *to, const struct node_weight *w)
{
    to->self += w->self;
    to->total += w->total;
    to->self_samples += w->self_samples;
    to->total_samples += w->total_samples;
}

// A node of the merged tree that was not there before.
static bool fill_node(struct growing *g, struct stack_node *to, const struct node_key *pair,
                      GError **error)
{
    struct name *symbol = name_of(g, pair->parent, error);
    const struct name *dso = symbol ? name_of(g, pair->frame, error) : NULL;
    if (!dso)
        return false;
    if (!symbol->number) {
        symbol->number = g->tree->symbols->len;
        g_ptr_array_add(g->tree->symbols, (char *)symbol->text);
    }
    to->symbol = symbol->text;
    to->number = symbol->number;
    to->dso = dso->text;
    return true;
}

// A function is called at several lines; the node has the heaviest of them.
static bool add_line(struct growing *g, guint i, struct stack_node *to, GError **error)
{
    uint32_t at = g->place[i];
    uint32_t line = g->line_of[g_array_index(g->nodes, struct node_key, i).frame];
    if (!line || (to->line && g->weights[i].total <= g->line_weights[at]))
        return true;
    const struct name *name = name_of(g, line, error);
    to->line = name ? name->text : NULL;
    g->line_weights[at] = g->weights[i].total;
    return name != NULL;
}

static bool merge(struct growing *g, GError **error)
{
    struct stack_tree *tree = g->tree;
    uint32_t *place = g->place = g_new0(uint32_t, g->nodes->len);
    tree->nodes = g_new0(struct stack_node, g->nodes->len);
    tree->n = 1;
    tree->nodes[0] = (struct stack_node){.parent = -1, .symbol = "all", .dso = ""};
    g_ptr_array_add(tree->symbols, (char *)tree->nodes[0].symbol);
    add_weight(&tree->nodes[0], &g->weights[0]);
    node_table_reserve(&g->merged, g->nodes->len);
    if (g->line_of)
        g->line_weights = g_new0(uint64_t, g->nodes->len);
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
            to->parent = (int32_t)parent;
            if (!fill_node(g, to, &g->functions.items[function], error))
                return false;
            tree->n++;
        }
        add_weight(to, &g->weights[i]);
        if (g->line_of && !add_line(g, i, to, error))
            return false;
    }
    for (guint i = 0; g->rows && i < g->rows->len; i++) {
        struct sample_row *row = &g_array_index(g->rows, struct sample_row, i);
        row->node = place[row->node];
    }
    return true;
}

static void growing_clear(struct growing *g)
{
    node_table_clear(&g->functions);
    node_table_clear(&g->merged);
    g_free(g->weights);
    g_free(g->place);
    g_free(g->name_at);
    g_free(g->line_of);
    g_free(g->line_weights);
    GArray *const arrays[] = {g->nodes, g->of_frame, g->names};
    for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++)
        if (arrays[i])
            g_array_free(arrays[i], true);
}

struct stack_tree *stack_tree_read(struct archive *archive, int64_t profile_id,
                                   const struct sample_filter *filter, GArray *rows,
                                   int64_t *source_id, GError **error)
{
    struct growing g = {.archive = archive,
                        .profile_id = profile_id,
                        .filter = filter,
                        .rows = rows};
    struct stack_tree *tree = g.tree = g_new0(struct stack_tree, 1);
    tree->text = g_string_chunk_new(4096);
    tree->symbols = g_ptr_array_new();
    node_table_init(&g.functions);
    node_table_init(&g.merged);
    bool ok = find_source(&g, error) &&
              (g.nodes = stack_blocks_read(archive, g.source_id, error)) != NULL &&
              read_weights(&g, error) && read_frames(&g, error) && read_names(&g, error) &&
              merge(&g, error);
    growing_clear(&g);
    if (source_id)
        *source_id = g.source_id;
    if (ok)
        return tree;
    stack_tree_free(tree);
    return NULL;
}

struct stack_tree *archive_stack_tree_of(struct archive *archive, int64_t profile_id,
                                         const struct sample_filter *filter, GError **error)
{
    return stack_tree_read(archive, profile_id, filter, NULL, NULL, error);
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
    if (tree->symbols)
        g_ptr_array_unref(tree->symbols);
    g_string_chunk_free(tree->text);
    g_free(tree);
}
