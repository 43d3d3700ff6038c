// What a function may do that matters under a lock, and when: of `if (flags & WAIT) sleep()` the
// caller knows whether it passed WAIT.
#ifndef SPINFAULT_ANALYZER_SUMMARY_DEED_H
#define SPINFAULT_ANALYZER_SUMMARY_DEED_H

#include "flow_state.h"

#define SUMMARY_TOLD  6u
#define SUMMARY_LOCKS 6u // that are told apart of those a function takes
#define SUMMARY_WAYS  3u // of doing the same thing that are told apart by when they are gone

// What was decided on the way about values on entry: `if (h->takes_lock)`.
struct summary_told {
    const struct symbol *test;
    bool truth;
};

// All of them; of none: always.
struct summary_when {
    struct summary_told told[SUMMARY_TOLD];
    unsigned n;
};

struct summary_deed {
    unsigned effect;     // one of enum model_effect_bits; 0: takes a lock
    const char *witness; // the function that has the effect
    struct ir_location at;
    struct summary_when when;
    const char *pointer;   // through which it is done, by one of several functions; NULL: for sure
    const char *candidate; // this one
    bool not_all;          // there are others that do not
    // A lock
    const struct symbol *place;     // NULL: nothing that the function was given leads there
    const char *lock;               // what it is called where it is taken; interned
    const struct model_lock_op *op; // or NULL
    bool if_told;                   // only when an argument that is no pointer says so
};

struct flow;
struct flow_call;

// What `state` has decided about the values on entry to its function.
struct summary_when summary_when_of(const struct flow_state *state);
// Keeps what the other holds, too.
void summary_when_meet(struct summary_when *when, const struct summary_when *other);
// Nothing that is known at the call speaks against it.
bool summary_when_possible(struct flow *flow, const struct flow_state *state,
                           const struct flow_call *call, const struct summary_when *when);
// It is so: the caller's state learns it.
void summary_when_assume(struct flow *flow, struct flow_state *state, const struct flow_call *call,
                         const struct summary_when *when);

// 0: sure; 1: by what a pointer may point to, as far as that is known; 2: by some of that.
int summary_deed_doubt(const struct summary_deed *deed);
// Adds to `deeds` (struct summary_deed) what is not in it already.
void summary_add_deed(GArray *deeds, const struct summary_deed *deed);
// A deed of a callee, as one of the caller's.
struct summary_deed summary_deed_of_call(struct flow *flow, const struct flow_state *state,
                                         const struct flow_call *call,
                                         const struct summary_deed *deed);
// The lock that it takes, as the caller names it; NULL: it can't.
const struct symbol *summary_lock_of_call(struct flow *flow, const struct flow_state *state,
                                          const struct flow_call *call,
                                          const struct summary_deed *deed);

#endif
