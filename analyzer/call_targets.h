// What a call through a pointer may call: the functions that initialisers and assignments store
// where it reads the pointer from, in this file and in those that mention the name of that place.
#ifndef SPINFAULT_ANALYZER_CALL_TARGETS_H
#define SPINFAULT_ANALYZER_CALL_TARGETS_H

#include "flow.h"

#define TARGET_FILES                                                                               \
    8u // looked at for one place; of a name that more files mention, not all is known

struct call_targets {
    GPtrArray *names;              // const char*: those that were found, in order of file and line
    bool complete;                 // it can be no other
    const struct summary *summary; // of the only one, or the worst of all; NULL: nothing is known
};

// Of an indirect call under a lock, ours or our caller's; NULL when it is not that. Lent by the
// analysis.
const struct call_targets *call_targets_of(struct flow *flow, const struct flow_state *state,
                                           const struct ir_instruction *call);
void call_targets_free(struct call_targets *targets); // accepts NULL

#endif
