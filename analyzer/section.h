// Sections: what happens between an acquire and its releases, collected from a function's flow.
// Rules look at a section and say what should not be in it.
#ifndef SPINFAULT_ANALYZER_SECTION_H
#define SPINFAULT_ANALYZER_SECTION_H

#include "flow.h"
#include "residency.h"

struct section_access {
    const struct ir_instruction *instruction;
    struct ir_location location;          // of the access, or of the call it happens in
    const struct symbol *place, *spelled; // `spelled` may be NULL
    char *object;
    bool write, walk, copy, popped;
    uint64_t bytes;
    struct residency_answer residency;
    const struct summary_access *inner; // in a callee, or NULL
};

struct section_call {
    const struct ir_instruction *instruction;
    const struct model_function *model;
    const struct ir_function *function;
    const struct summary *summary;
    const struct call_targets *targets; // of an indirect call, or NULL
    unsigned effects;                   // of the model
    const struct summary_deed
        *deeds[MODEL_EFFECTS]; // by bit: of the summary, at this call; or NULL
    bool no_return, crashes;
    bool stack_only; // all it was seen to do is read its arguments
    enum call_effect effect;
};

// Another lock taken in the section, or this one again.
struct section_nested {
    const struct ir_instruction *instruction;
    char *lock;
    const char *callee;             // that takes it, or NULL
    const struct model_lock_op *op; // or NULL
    bool same;                      // the very lock of the section
    bool accounted;           // by a variable that is set the function knows that it holds the lock
    struct ir_location inner; // where the callee takes it; or line 0
};

struct section_release {
    const struct ir_instruction *instruction;
    bool exact;               // by the same name, not by elimination
    unsigned modes;           // in which it was held there: bits of 1 << enum flow_mode
    struct ir_location inner; // where the callee does it; or line 0
};

struct section {
    const struct ir_function *function;
    const struct flow_site *site;
    const struct symbol *place;
    char *lock, *api;
    const char *model;
    enum lock_scope scope;
    enum lock_mode mode;
    unsigned acquire_line;
    bool entered_held, left_held;
    bool maybe;       // at some point not known to be held on every path
    bool stale;       // lives on into another round of a loop
    bool primitive;   // the function is the lock operation: not for people
    GArray *accesses; // struct section_access, by instruction
    GArray *calls;    // struct section_call
    GArray *nested;   // struct section_nested
    GArray *releases; // struct section_release
    GArray *loops;    // struct flow_loop*: loops that run in the section
    unsigned cost;
};

// One way out of the function.
struct function_leave {
    const struct ir_block *block;
    const struct symbol *value;
    bool zero, nonzero;              // what is returned, as far as known
    int64_t constant;                // when value is one
    GPtrArray *held;                 // struct section*
    struct flow_map tests, released; // of the state that leaves
    bool maybe;
};

// A release of a lock that is not held there.
struct stray_release {
    const struct ir_instruction *instruction;
    const struct symbol *place;
    char *lock;
    unsigned released_line;  // where it was released before; 0: never in this function
    struct section *other;   // the one lock that is held instead, or NULL
    unsigned times, matched; // states in which it is stray, and in which it is not
    bool vague;              // matched by elimination only
};

struct debug_answer {
    const struct ir_instruction *instruction;
    GPtrArray *texts; // char*: one for each kind of state
};

struct function_sections {
    struct analysis *analysis;
    const struct ir_function *function;
    struct flow *flow;
    GPtrArray *sections; // struct section*, by line of the acquire
    GArray *leaves;      // struct function_leave
    GArray *strays;      // struct stray_release
    GArray *debug;       // struct debug_answer
};

struct function_sections *sections_collect(struct analysis *analysis,
                                           const struct ir_function *function);
void sections_free(struct function_sections *sections); // accepts NULL
// enum model_effect_bits of what is called; without what only some of the candidates of a pointer
// do.
unsigned section_call_effects(const struct section_call *call);
struct ir_location section_acquire_location(const struct section *section);

#endif
