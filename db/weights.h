// Weight and samples by function, for the derived table profile_function. A function is a number
// from a node_table of (symbol, dso).
#ifndef SPINFAULT_DB_WEIGHTS_H
#define SPINFAULT_DB_WEIGHTS_H

#include "handle.h"
#include "intern.h"

struct function_weight {
    int64_t self, total, self_samples, total_samples;
    int64_t seen; // number of the chain that counted it last
};

struct function_weights {
    GArray *items; // struct function_weight by function
    int64_t chain;
};

void weights_init(struct function_weights *w);
void weights_clear(struct function_weights *w);

// Samples that end in `node`: each function on the way to the root counts once, however often it is
// in the chain. `function` is by frame.
void weights_count(struct function_weights *w, const struct node_key *nodes,
                   const uint32_t *function, uint32_t node, int64_t weight, int64_t samples);

// `rows` turns the numbers of `functions` into rows of `string`; NULL: they are rows.
bool weights_store(const struct function_weights *w, const struct node_table *functions,
                   const int64_t *rows, struct archive *archive, int64_t profile_id,
                   GError **error);

#endif
