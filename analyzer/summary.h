// What a function does to its caller, in terms of its parameters and of globals. Computed once a
// unit and function, callees first; a recursive call sees no summary of its own group.
#ifndef SPINFAULT_ANALYZER_SUMMARY_H
#define SPINFAULT_ANALYZER_SUMMARY_H

#include "flow_state.h"
#include "model.h"
#include "summary_deed.h"

#define SUMMARY_ACCESSES 64u
#define SUMMARY_OUTCOMES 4u

// A place the function, or one it calls, may touch.
struct summary_access {
    const struct symbol *place;
    bool write, walk, copy;
    uint64_t bytes;
    const struct symbol *length; // of a copy, when a parameter of the function says it; or NULL
    struct ir_location location;
    const char *function; // whose body it is in
};

// Lock changes of one kind of return.
struct summary_outcome {
    GPtrArray *taken;       // struct symbol*: places of locks held for the caller
    GPtrArray *ops;         // struct model_lock_op* for each taken; entries may be NULL
    GPtrArray *dropped;     // struct symbol*: places of the caller's locks
    GPtrArray *dropped_ops; // what releases each; entries may be NULL
    GArray *taken_at;       // struct ir_location of each
    GArray *dropped_at;
    bool zero, nonzero;         // what it may return then
    bool sure;                  // no lock was only maybe held
    const struct symbol *value; // or NULL: differs
    struct summary_when when;
};

struct summary {
    const struct ir_function *function;
    bool running;            // being computed: recursion
    bool returns;            // at least once
    GArray *accesses;        // struct summary_access
    bool truncated;          // there were more
    struct flow_map touched; // on every way to every return
    struct summary_outcome outcomes[SUMMARY_OUTCOMES];
    unsigned n_outcomes;
    bool confused;        // more kinds of return than that: lock effects are unknown
    GArray *deeds;        // struct summary_deed
    unsigned effects;     // enum model_effect_bits of all that it may call
    const char *unknown;  // a callee nobody knows, or NULL
    const char *indirect; // an indirect call, or NULL
    bool deepens;         // a deep summary of it would be, or is, another one
    bool judged;          // the function's own sections are found in this scan
    unsigned cost;
};

struct analysis;
struct flow;
// Deep when the analysis is (flow.h). NULL: being computed (recursion), too deep, or not worth it.
// Lent by the analysis.
const struct summary *summary_of(struct analysis *analysis, const struct ir_function *function);
void summary_free(struct summary *summary); // accepts NULL
void summary_outcome_clear(struct summary_outcome *outcome);

// The fixed point of a function, with the locks that it turns out to be entered with: those it
// releases without having taken them.
struct flow *summary_flow(struct analysis *analysis, const struct ir_function *function);

// A callee's symbol as the caller knows it at `call`. NULL for places on the callee's stack.
const struct symbol *summary_instance(struct flow *flow, const struct flow_state *state,
                                      const struct ir_instruction *call,
                                      const struct symbol *const *arguments,
                                      const struct symbol *symbol);

#endif
