// Functions of a profile into the archive.
#include "weights.h"

#include "query.h"

void weights_init(struct function_weights *w)
{
    *w = (struct function_weights){g_array_new(false, true, sizeof(struct function_weight)), 0};
}

void weights_clear(struct function_weights *w)
{
    if (w->items)
        g_array_free(w->items, true);
    *w = (struct function_weights){0};
}

static struct function_weight *weight_of(struct function_weights *w, uint32_t function)
{
    if (function >= w->items->len)
        g_array_set_size(w->items, function + 1);
    return &g_array_index(w->items, struct function_weight, function);
}

void weights_count(struct function_weights *w, const struct node_key *nodes,
                   const uint32_t *function, uint32_t node, int64_t weight, int64_t samples)
{
    w->chain++;
    if (node) {
        struct function_weight *leaf = weight_of(w, function[nodes[node].frame]);
        leaf->self += weight;
        leaf->self_samples += samples;
    }
    for (; node; node = nodes[node].parent) {
        struct function_weight *f = weight_of(w, function[nodes[node].frame]);
        if (f->seen == w->chain)
            continue;
        f->seen = w->chain;
        f->total += weight;
        f->total_samples += samples;
    }
}

bool weights_store(const struct function_weights *w, const struct node_table *functions,
                   const int64_t *rows, struct archive *archive, int64_t profile_id, GError **error)
{
    for (uint32_t i = 1; i < w->items->len; i++) {
        const struct function_weight *f = &g_array_index(w->items, struct function_weight, i);
        if (!f->total_samples)
            continue;
        const struct node_key *key = &functions->items[i];
        struct query q;
        query_begin(&q, archive,
                    "INSERT INTO profile_function (profile_id, symbol_id, dso_id, self, total, "
                    "self_samples, total_samples) VALUES (?, ?, ?, ?, ?, ?, ?)");
        query_int(&q, profile_id);
        query_int(&q, rows ? rows[key->parent] : key->parent);
        query_int(&q, rows ? rows[key->frame] : key->frame);
        query_int(&q, f->self);
        query_int(&q, f->total);
        query_int(&q, f->self_samples);
        query_int(&q, f->total_samples);
        if (!query_run(&q, error))
            return false;
    }
    return true;
}
