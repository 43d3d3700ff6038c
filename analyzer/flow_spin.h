// Locks that nobody named, recognised by their shape.
#ifndef SPINFAULT_ANALYZER_FLOW_SPIN_H
#define SPINFAULT_ANALYZER_FLOW_SPIN_H

#include "flow.h"

// The operation that an atomic instruction is when a loop spins on it: test-and-set or exchange of
// a constant until the old value was 0, compare-and-swap of 0 for a constant until it succeeds.
// NULL: it is none. `*zero`: the lock is had when the result is 0.
const struct model_lock_op *flow_spin_acquire(struct flow *flow, const struct flow_state *state,
                                              const struct ir_instruction *atomic, bool *zero);
// Is it the release of such a lock: a clear, or a 0 stored to a word that is held so?
bool flow_spin_release(struct flow *flow, const struct flow_state *state,
                       const struct ir_instruction *atomic, const struct symbol *place);

#endif
