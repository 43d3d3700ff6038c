// LEB128, two numbers a node.
#include "stack_block.h"

#include "query.h"

static void put(GByteArray *out, uint32_t value)
{
    guint8 bytes[5];
    guint n = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[n++] = (guint8)(value | 0x80);
    bytes[n++] = (guint8)value;
    g_byte_array_append(out, bytes, n);
}

static bool take(struct slice *in, uint32_t *value)
{
    uint64_t v = 0;
    for (unsigned shift = 0; in->len > 0 && shift < 35; shift += 7) {
        uint8_t byte = (uint8_t)*in->data;
        in->data++;
        in->len--;
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80)
            continue;
        *value = (uint32_t)v;
        return v <= UINT32_MAX;
    }
    return false;
}

GByteArray *stack_block_pack(const struct node_table *nodes, uint32_t first, uint32_t n)
{
    GByteArray *out = g_byte_array_new();
    for (uint32_t id = first; id < first + n; id++) {
        put(out, id - nodes->items[id].parent);
        put(out, nodes->items[id].frame);
    }
    return out;
}

static bool unpack(GArray *nodes, struct slice data, uint32_t first, uint32_t n)
{
    if (first != nodes->len)
        return false;
    for (uint32_t id = first; id < first + n; id++) {
        struct node_key node;
        uint32_t back;
        if (!take(&data, &back) || !take(&data, &node.frame) || back == 0 || back > id)
            return false;
        node.parent = id - back;
        g_array_append_val(nodes, node);
    }
    return data.len == 0;
}

GArray *stack_blocks_read(struct archive *archive, int64_t source_id, GError **error)
{
    GArray *nodes = g_array_new(false, true, sizeof(struct node_key));
    g_array_set_size(nodes, 1);
    struct query q;
    bool good = true;
    query_begin(&q, archive,
                "SELECT first_node, nodes, data FROM stack_block WHERE source_id = ? "
                "ORDER BY first_node");
    query_int(&q, source_id);
    while (good && query_row(&q))
        good = unpack(nodes, query_get_slice(&q, 2), (uint32_t)query_get_int(&q, 0),
                      (uint32_t)query_get_int(&q, 1));
    bool ok = query_end(&q, error);
    if (ok && good)
        return nodes;
    if (ok)
        error_set(error, SPINFAULT_ERROR_DAMAGED,
                  "%s: the stack tree of source %" G_GINT64_FORMAT
                  " is damaged; \"spinfault archive verify\" says what else is",
                  archive->path, source_id);
    g_array_free(nodes, true);
    return NULL;
}
