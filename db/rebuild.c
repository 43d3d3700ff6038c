// The derived tables from the facts.
#include "rebuild.h"

#include "query.h"
#include "stack_block.h"
#include "weights.h"

// Function of each frame of a source, by frame id; item 0 is unused.
static GArray *read_functions(struct archive *archive, int64_t source_id,
                              struct node_table *functions, GError **error)
{
    GArray *of_frame = g_array_new(false, true, sizeof(uint32_t));
    g_array_set_size(of_frame, 1);
    struct query q;
    query_begin(&q, archive,
                "SELECT id, coalesce(symbol_id, 0), coalesce(dso_id, 0) FROM frame "
                "WHERE source_id = ? ORDER BY id");
    query_int(&q, source_id);
    while (query_row(&q)) {
        guint id = (guint)query_get_int(&q, 0);
        if (id >= of_frame->len)
            g_array_set_size(of_frame, id + 1);
        g_array_index(of_frame, uint32_t, id) =
            node_table_add(functions, (uint32_t)query_get_int(&q, 1),
                           (uint32_t)query_get_int(&q, 2));
    }
    if (query_end(&q, error))
        return of_frame;
    g_array_free(of_frame, true);
    return NULL;
}

// A damaged archive may name a frame or node that is not there.
static void drop_missing_frames(GArray *nodes, const GArray *of_frame)
{
    for (guint i = 0; i < nodes->len; i++) {
        struct node_key *node = &g_array_index(nodes, struct node_key, i);
        if (node->frame >= of_frame->len)
            node->frame = 0;
    }
}

static void count_sample(struct function_weights *w, const GArray *nodes, const GArray *of_frame,
                         uint32_t node, int64_t weight)
{
    if (node < nodes->len)
        weights_count(w, (const void *)nodes->data, (const void *)of_frame->data, node, weight, 1);
}

static bool rebuild_profile(struct archive *archive, int64_t profile_id, int64_t source_id,
                            GError **error)
{
    struct node_table functions;
    struct function_weights weights;
    node_table_init(&functions);
    weights_init(&weights);
    GArray *nodes = stack_blocks_read(archive, source_id, error);
    GArray *of_frame = nodes ? read_functions(archive, source_id, &functions, error) : NULL;
    bool ok = of_frame != NULL;
    if (ok) {
        struct query q;
        drop_missing_frames(nodes, of_frame);
        query_begin(&q, archive,
                    "SELECT node, weight FROM sample WHERE source_id = ? AND profile_id = ?");
        query_int(&q, source_id);
        query_int(&q, profile_id);
        while (query_row(&q))
            count_sample(&weights, nodes, of_frame, (uint32_t)query_get_int(&q, 0),
                         query_get_int(&q, 1));
        ok = query_end(&q, error) &&
             weights_store(&weights, &functions, NULL, archive, profile_id, error);
        g_array_free(of_frame, true);
    }
    if (nodes)
        g_array_free(nodes, true);
    node_table_clear(&functions);
    weights_clear(&weights);
    return ok;
}

bool rebuild_profile_functions(struct archive *archive, int64_t after, GError **error)
{
    g_autoptr(GArray) profiles = g_array_new(false, false, 2 * sizeof(int64_t));
    struct query q;
    query_begin(&q, archive, "SELECT id, source_id FROM profile WHERE id > ? ORDER BY id");
    query_int(&q, after);
    while (query_row(&q)) {
        int64_t pair[2] = {query_get_int(&q, 0), query_get_int(&q, 1)};
        g_array_append_vals(profiles, pair, 1);
    }
    bool ok = query_end(&q, error);
    for (guint i = 0; ok && i < profiles->len; i++) {
        const int64_t *pair = (const int64_t *)profiles->data + 2 * (size_t)i;
        ok = rebuild_profile(archive, pair[0], pair[1], error);
    }
    return ok;
}
