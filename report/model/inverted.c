// A profile upside down: what ran at the top, its callers below. Of the functions that ran most
// only; the others would each be a hair's breadth.
#include "array.h"
#include "model/model.h"

#define FUNCTIONS_MOST 120u
#define DEPTH_MOST     24u

struct ranked {
    guint symbol;
    uint64_t self;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->self != y->self)
        return x->self > y->self ? -1 : 1;
    return (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

// The rank of each symbol among those that ran most, from 1; 0: not among them.
static guint *ranks_of(const struct flame *flame)
{
    guint n = flame->tree->symbols->len;
    g_autoptr(GArray) all = g_array_sized_new(FALSE, TRUE, sizeof(struct ranked), n);
    g_array_set_size(all, n);
    for (guint i = 0; i < n; i++)
        g_array_index(all, struct ranked, i).symbol = i;
    for (size_t i = 1; i < flame->tree->n; i++)
        g_array_index(all, struct ranked, flame->tree->nodes[i].number).self +=
            flame->tree->nodes[i].self;
    g_array_sort(all, compare_ranked);
    guint *ranks = ARRAY_NEW(guint, n);
    for (guint i = 0; i < MIN(n, FUNCTIONS_MOST) && g_array_index(all, struct ranked, i).self; i++)
        ranks[g_array_index(all, struct ranked, i).symbol] = i + 1;
    return ranks;
}

struct inverting {
    const struct flame *flame;
    GArray *nodes;     // of struct stack_node
    GHashTable *known; // parent << 32 | symbol -> node
};

static guint child_of(struct inverting *v, guint parent, size_t of)
{
    const struct stack_node *from = &v->flame->tree->nodes[of];
    const guint64 key = (guint64)parent << 32 | from->number;
    gpointer known = g_hash_table_lookup(v->known, &key);
    if (known)
        return GPOINTER_TO_UINT(known);
    struct stack_node node = {.parent = (int32_t)parent,
                              .number = from->number,
                              .symbol = from->symbol,
                              .dso = from->dso};
    g_array_append_val(v->nodes, node);
    g_hash_table_insert(v->known, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(v->nodes->len - 1));
    return v->nodes->len - 1;
}

static void add_chain(struct inverting *v, size_t leaf)
{
    const struct stack_node *nodes = v->flame->tree->nodes;
    guint at = 0;
    unsigned depth = 0;
    for (int32_t i = (int32_t)leaf; i > 0 && depth < DEPTH_MOST; i = nodes[i].parent, depth++) {
        at = child_of(v, at, (size_t)i);
        struct stack_node *node = &g_array_index(v->nodes, struct stack_node, at);
        node->total += nodes[leaf].self;
        node->total_samples += nodes[leaf].self_samples;
    }
    struct stack_node *end = &g_array_index(v->nodes, struct stack_node, at);
    end->self += nodes[leaf].self;
    end->self_samples += nodes[leaf].self_samples;
}

struct flame *flame_inverted(const struct flame *flame)
{
    g_autofree guint *ranks = ranks_of(flame);
    struct inverting v = {.flame = flame};
    v.nodes = g_array_new(FALSE, TRUE, sizeof(struct stack_node));
    v.known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    g_array_append_val(v.nodes, flame->tree->nodes[0]);
    g_array_index(v.nodes, struct stack_node, 0).self = 0;
    // The heaviest stand to the left.
    g_autofree size_t *first = ARRAY_NEW(size_t, FUNCTIONS_MOST + 1);
    for (size_t i = flame->tree->n; i-- > 1;)
        first[ranks[flame->tree->nodes[i].number]] = i;
    for (guint rank = 1; rank <= FUNCTIONS_MOST && first[rank]; rank++)
        child_of(&v, 0, first[rank]);
    for (size_t i = 1; i < flame->tree->n; i++)
        if (flame->tree->nodes[i].self && ranks[flame->tree->nodes[i].number])
            add_chain(&v, i);
    g_hash_table_unref(v.known);
    struct flame *inverted = g_new0(struct flame, 1);
    *inverted = *flame;
    inverted->inverted = true;
    inverted->samples = NULL;
    inverted->times = NULL;
    inverted->suspects = flame->suspects ? g_hash_table_ref(flame->suspects) : NULL;
    struct stack_tree *tree = g_new0(struct stack_tree, 1);
    tree->n = v.nodes->len;
    tree->nodes = g_memdup2(v.nodes->data, v.nodes->len * sizeof(struct stack_node));
    tree->symbols = g_ptr_array_ref(flame->tree->symbols);
    tree->text = g_string_chunk_new(16); // names are those of the flame's tree
    g_array_free(v.nodes, TRUE);
    inverted->tree = inverted->own = tree;
    return inverted;
}

void flame_free(struct flame *flame)
{
    profile_samples_free(flame->samples);
    stack_tree_free(flame->own);
    if (flame->times)
        g_array_free(flame->times, TRUE);
    g_clear_pointer(&flame->suspects, g_hash_table_unref);
    g_free(flame);
}
