// Locks that nobody named, recognised by their shape: a loop that ends when an atomic operation
// says that the lock was free.
#ifndef SPINFAULT_ANALYZER_FLOW_SPIN_H
#define SPINFAULT_ANALYZER_FLOW_SPIN_H

#include "flow.h"

struct flow_spin {
    const struct model_lock_op *op;
    int64_t mask;      // the bit of the result that tells; 0: all of it
    int64_t had, lost; // the result when the lock was taken, and when it was not
    bool lost_known;   // `lost` is the only other result
};

// Is the atomic operation one by which a loop takes a lock? Test-and-set, exchange of a constant,
// compare-and-swap of a constant, fetch-or of a bit.
bool flow_spin_acquire(struct flow *flow, const struct flow_state *state,
                       const struct ir_instruction *atomic, struct flow_spin *spin);
// A read in the condition of a loop that ends when the place has the value that a fetch-and-add
// beside it gave: a ticket lock. NULL: it is none.
const struct model_lock_op *flow_spin_ticket(const struct flow *flow,
                                             const struct ir_instruction *read);
// Is it the release of such a lock: a clear, or the free value stored to a word that is held so?
bool flow_spin_release(struct flow *flow, const struct flow_state *state,
                       const struct ir_instruction *atomic, const struct symbol *place);
// Does a plain assignment of `value` let go of the lock?
bool flow_spin_lets_go(const struct flow_lock *lock, const struct ir_value *assigned,
                       const struct symbol *value);

#endif
