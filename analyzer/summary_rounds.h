// Functions that take a lock of each element of many, or let go of each.
#ifndef SPINFAULT_ANALYZER_SUMMARY_ROUNDS_H
#define SPINFAULT_ANALYZER_SUMMARY_ROUNDS_H

#include "flow.h"

// `lock_all(set)`, `unlock_all(set)`: a loop takes or releases another lock in each round, and that
// is all the function does to locks. Its callers believe that there is an element: were the way
// without a round kept, locking all and unlocking all would not seem to belong together. So of its
// outcomes the one without a change goes.
void summary_fold_rounds(struct summary *summary, const struct flow *flow);

#endif
