// The shape of a function, for flow.c: order of blocks, loops, predecessors, repeated questions.
#ifndef SPINFAULT_ANALYZER_FLOW_GRAPH_H
#define SPINFAULT_ANALYZER_FLOW_GRAPH_H

#include "flow.h"

// Predecessors of each block, each once.
struct flow_edges {
    unsigned **predecessors, *n_predecessors, *memory;
};
void flow_edges_init(struct flow_edges *edges, const struct flow *flow);
void flow_edges_clear(struct flow_edges *edges);

// Each fills its part of the flow; in this order.
void flow_number_blocks(struct flow *flow);
void flow_find_loops(struct flow *flow, unsigned *const *predecessors,
                     const unsigned *n_predecessors);
void flow_find_guards(struct flow *flow, const struct flow_edges *edges);
void flow_find_homes(struct flow *flow);
void flow_loop_free(gpointer data);

// What the block's branch asks. A question and its negation have the same hash; never 0.
guint flow_question_hash(const struct ir_block *block);
// The call whose result the branch asks about, or NULL. Such questions are the same when they are
// spelled the same.
const struct ir_instruction *flow_asked_call(const struct ir_block *block);
// The caller's.
char *flow_call_text(const struct ir_instruction *call);
// Is the relation the negation of what a TEST says?
bool flow_is_negative(enum ir_relation relation);

// What is known of a question by its hash (flow->guards).
#define GUARD_AGAIN 1u // asked twice
#define GUARD_LOCK  2u // and at once decides over a lock operation
#define GUARD_BOTH  4u // one answer leads to an acquire and, asked again, to another lock operation

#endif
