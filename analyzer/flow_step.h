// Between flow_step.c, flow_call.c and flow_outcome.c: operations on one state, told to the
// listener.
#ifndef SPINFAULT_ANALYZER_FLOW_STEP_H
#define SPINFAULT_ANALYZER_FLOW_STEP_H

#include "flow.h"

void flow_do_touch(struct flow *flow, struct flow_state *state, const struct symbol *place,
                   uint64_t bytes, bool write);
void flow_do_access(struct flow *flow, struct flow_state *state, const struct flow_access *access);
void flow_do_release(struct flow *flow, struct flow_state *state, const struct ir_instruction *in,
                     const struct symbol *place, const struct model_lock_op *op);
void flow_do_acquire(struct flow *flow, struct flow_state *state, struct flow_site *site,
                     const struct symbol *place);
// A copy of `state`, added to `states`; NULL when there is no room.
struct flow_state *flow_split(struct flow_states *states, const struct flow_state *state);
// `value == 0` as a TEST.
const struct symbol *flow_zero_test(struct flow *flow, const struct symbol *value);
const struct symbol *flow_plain_result(struct flow *flow, const struct ir_instruction *in);
// A bit lock is released by who swaps its word: one state for each outcome.
void flow_release_by_swap(struct flow *flow, struct flow_states *states, unsigned s,
                          const struct ir_instruction *in, const struct symbol *place);
// The wait for a ticket: either it is this one's turn, and the lock is held, or the loop goes on.
void flow_wait_for_turn(struct flow *flow, struct flow_states *states, unsigned s,
                        const struct ir_instruction *in, const struct model_lock_op *op);
void flow_step_atomic(struct flow *flow, const struct ir_instruction *in,
                      struct flow_states *states);
// What the callee's summary says of locks: one state for each way that is possible at the call.
void flow_apply_outcomes(struct flow *flow, struct flow_states *states, unsigned s,
                         const struct flow_call *call);
void flow_step_calls(struct flow *flow, const struct ir_instruction *in,
                     struct flow_states *states);

#endif
