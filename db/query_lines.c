// Source lines of a profile: where its samples end, by function and line.
#include "intern.h"
#include "query.h"
#include "stack_block.h"

struct place {
    uint32_t symbol, line; // rows of string; 0: none
    bool skipped;
};

struct counting {
    struct archive *archive;
    int64_t profile_id, source_id;
    GArray *nodes;      // struct node_key
    GArray *frames;     // struct place by frame
    GHashTable *counts; // (symbol << 32 | line) -> uint64_t*
};

static bool find_source(struct counting *c, GError **error)
{
    struct query q;
    query_begin(&q, c->archive, "SELECT source_id FROM profile WHERE id = ?");
    query_int(&q, c->profile_id);
    while (query_row(&q))
        c->source_id = query_get_int(&q, 0);
    return query_end(&q, error);
}

static bool read_frames(struct counting *c, bool (*skip)(const char *symbol, const char *dso),
                        bool *any_line, GError **error)
{
    struct query q;
    c->frames = g_array_new(false, true, sizeof(struct place));
    query_begin(&q, c->archive,
                "SELECT f.id, coalesce(f.symbol_id, 0), coalesce(f.srcline_id, 0), s.text, d.text "
                "FROM frame f LEFT JOIN string s ON s.id = f.symbol_id "
                "LEFT JOIN string d ON d.id = f.dso_id WHERE f.source_id = ? ORDER BY f.id");
    query_int(&q, c->source_id);
    while (query_row(&q)) {
        guint id = (guint)query_get_int(&q, 0);
        g_autofree char *symbol = query_get_text(&q, 3);
        g_autofree char *dso = query_get_text(&q, 4);
        if (id >= c->frames->len)
            g_array_set_size(c->frames, id + 1);
        struct place *place = &g_array_index(c->frames, struct place, id);
        *place = (struct place){(uint32_t)query_get_int(&q, 1), (uint32_t)query_get_int(&q, 2),
                                skip && skip(symbol ? symbol : "", dso ? dso : "")};
        *any_line |= place->line != 0;
    }
    return query_end(&q, error);
}

// The innermost place of a chain that is not skipped.
static const struct place *place_of(const struct counting *c, uint32_t node)
{
    for (; node > 0 && node < c->nodes->len;
         node = g_array_index(c->nodes, struct node_key, node).parent) {
        uint32_t frame = g_array_index(c->nodes, struct node_key, node).frame;
        const struct place *place =
            frame < c->frames->len ? &g_array_index(c->frames, struct place, frame) : NULL;
        if (place && !place->skipped)
            return place;
    }
    return NULL;
}

static bool count_samples(struct counting *c, GError **error)
{
    struct query q;
    query_begin(&q, c->archive,
                "SELECT node, count(*) FROM sample WHERE source_id = ? AND profile_id = ? "
                "GROUP BY node");
    query_int(&q, c->source_id);
    query_int(&q, c->profile_id);
    while (query_row(&q)) {
        const struct place *place = place_of(c, (uint32_t)query_get_int(&q, 0));
        if (!place || !place->symbol)
            continue;
        const guint64 key = (guint64)place->symbol << 32 | place->line;
        uint64_t *count = g_hash_table_lookup(c->counts, &key);
        if (!count) {
            count = g_new0(uint64_t, 1);
            g_hash_table_insert(c->counts, g_memdup2(&key, sizeof key), count);
        }
        *count += (uint64_t)query_get_int(&q, 1);
    }
    return query_end(&q, error);
}

static void line_row_free(gpointer data)
{
    struct line_row *row = data;
    g_free(row->symbol);
    g_free(row->line);
    g_free(row);
}

static int compare_lines(const void *a, const void *b)
{
    const struct line_row *x = *(struct line_row *const *)a, *y = *(struct line_row *const *)b;
    if (x->samples != y->samples)
        return x->samples > y->samples ? -1 : 1;
    int order = g_strcmp0(x->symbol, y->symbol);
    return order ? order : g_strcmp0(x->line, y->line);
}

static bool add_rows(struct counting *c, GPtrArray *rows, GError **error)
{
    GHashTableIter iter;
    void *key, *count;
    struct query q;
    bool ok = true;
    g_hash_table_iter_init(&iter, c->counts);
    while (ok && g_hash_table_iter_next(&iter, &key, &count)) {
        struct line_row *row = g_new0(struct line_row, 1);
        g_ptr_array_add(rows, row);
        row->samples = *(uint64_t *)count;
        query_begin(&q, c->archive,
                    "SELECT (SELECT text FROM string WHERE id = ?), "
                    "(SELECT text FROM string WHERE id = ?)");
        query_int(&q, (int64_t)(*(guint64 *)key >> 32));
        query_int(&q, (int64_t)(*(guint64 *)key & 0xffffffffu));
        while (query_row(&q)) {
            row->symbol = query_get_text(&q, 0);
            row->line = query_get_text(&q, 1);
        }
        ok = query_end(&q, error);
    }
    g_ptr_array_sort(rows, compare_lines);
    return ok;
}

GPtrArray *archive_profile_lines(struct archive *archive, int64_t profile_id,
                                 bool (*skip)(const char *symbol, const char *dso), GError **error)
{
    struct counting c = {.archive = archive, .profile_id = profile_id};
    GPtrArray *rows = g_ptr_array_new_with_free_func(line_row_free);
    bool any_line = false;
    c.counts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    bool ok = find_source(&c, error) && read_frames(&c, skip, &any_line, error);
    if (ok && any_line)
        ok = (c.nodes = stack_blocks_read(archive, c.source_id, error)) != NULL &&
             count_samples(&c, error) && add_rows(&c, rows, error);
    g_hash_table_unref(c.counts);
    if (c.nodes)
        g_array_free(c.nodes, true);
    if (c.frames)
        g_array_free(c.frames, true);
    if (!ok)
        g_clear_pointer(&rows, g_ptr_array_unref);
    return rows;
}
