// Weight and samples by function, for the derived table profile_function. A function is a number
// from a node_table of (symbol, dso).
#ifndef SPINFAULT_DB_WEIGHTS_H
#define SPINFAULT_DB_WEIGHTS_H

#include "handle.h"
#include "intern.h"

struct function_weight {
    int64_t self, total, self_samples, total_samples;
    int64_t seen; // number of the sample that counted it last
};

struct function_weights {
    GArray *items; // struct function_weight by function
    int64_t sample;
};

void weights_init(struct function_weights *w);
void weights_clear(struct function_weights *w);

static inline void weights_next_sample(struct function_weights *w)
{
    w->sample++;
}

// One frame of the sample: however often a function is in a chain, its total counts once.
static inline void weights_count(struct function_weights *w, uint32_t function, int64_t weight,
                                 bool leaf)
{
    if (function >= w->items->len)
        g_array_set_size(w->items, function + 1);
    struct function_weight *f = &g_array_index(w->items, struct function_weight, function);
    if (f->seen != w->sample) {
        f->seen = w->sample;
        f->total += weight;
        f->total_samples++;
    }
    if (leaf) {
        f->self += weight;
        f->self_samples++;
    }
}

// `rows` turns the numbers of `functions` into rows of `string`; NULL: they are rows.
bool weights_store(const struct function_weights *w, const struct node_table *functions,
                   const int64_t *rows, struct archive *archive, int64_t profile_id,
                   GError **error);

#endif
