// Flow analysis of one function: forward, on its control-flow graph, to a fixed point.
//
// First the states of every block are iterated until they no longer change (at most FLOW_ROUNDS
// times a block), then each block is stepped through once more and a listener is told what happens
// in which state. Sections (section.c) and summaries (summary.c) are two things a listener makes of
// it. Everything here belongs to one unit and one thread.
#ifndef SPINFAULT_ANALYZER_FLOW_H
#define SPINFAULT_ANALYZER_FLOW_H

#include "flow_state.h"
#include "model.h"
#include "summary.h"

#define FLOW_ROUNDS     64u
#define FLOW_SETTLE     24u // rounds after which a block's variables are told apart no more
#define FLOW_TIRED      40u // rounds after which it keeps no answers to questions
#define FLOW_CALL_DEPTH 64u // of callees analysed within callees

// What all functions of one unit share.
struct analysis {
    const struct ir_unit *unit;
    const struct model_set *models; // may be NULL in tests
    struct symbol_table *table;
    GHashTable *functions; // usr and name -> struct ir_function*
    // Summaries, by whether they are deep: with what the function calls in other files even where
    // neither it nor the callee has to do with locks, because it is called under one.
    GHashTable *summaries[2];     // struct ir_function* -> struct summary*
    GHashTable *imported[2];      // name -> struct summary* of another file's function, or NULL
    GHashTable *targets;          // where a pointer is read from -> struct call_targets*
    GHashTable *entries;          // struct ir_function* -> struct entry_facts*, or NULL: unknown
    unsigned entry_level;         // of callers whose callers are looked at
    GPtrArray *owned;             // struct summary*: all of them
    bool deep;                    // what is being summarised is called under a lock
    bool deepens;                 // being deep makes a difference to what is being summarised
    GHashTable *locking;          // struct ir_function* -> enum: reaches a lock operation
    GHashTable *may_lock;         // name of an external function -> enum: takes a lock by its text
    GHashTable *moving;           // usr of a global pointer that is set to one of many objects
    struct spin_words *words;     // of the unit; NULL: not asked for yet
    const GPtrArray *assumptions; // struct assumption*; or NULL
    unsigned depth;
    struct foreign *foreign; // other files; NULL: none
    unsigned hops;           // files that a chain of calls may still go through
    struct foreign_log *log; // what was asked of it; or NULL
};

struct assumption {
    char *name;
    uint64_t value;
};

struct analysis *analysis_new(const struct ir_unit *unit, const struct model_set *models);
void analysis_free(struct analysis *analysis); // accepts NULL
const struct ir_function *analysis_find(const struct analysis *analysis,
                                        const struct ir_instruction *call);
// Does another file define what is called, and may that take or release a lock in its own body?
bool analysis_may_lock(struct analysis *analysis, const struct ir_instruction *call);
// Is the global pointer set to one object of many?
bool analysis_is_moving(struct analysis *analysis, const char *usr);
// Does the function, or one it calls in this unit or finds in another, operate on locks?
bool analysis_reaches_lock(struct analysis *analysis, const struct ir_function *function);

struct flow {
    struct analysis *analysis;
    const struct ir_function *function;
    unsigned *order;   // blocks in reverse postorder
    unsigned n_order;  // reachable ones
    unsigned *rank;    // block -> place in `order`; G_MAXUINT: unreachable
    GPtrArray *loops;  // struct flow_loop*, inner loops after outer ones with another head
    GHashTable *homes; // instruction -> struct ir_block*
    GHashTable *sites; // instruction -> struct flow_site*
    GPtrArray *site_list;
    GPtrArray *entry_sites; // struct flow_site*: locks the function is entered with
    GHashTable *guards;     // hash of a condition that is asked twice and guards a lock operation
    GHashTable **sticky;    // by block
    unsigned *rounds;       // by block: how often its states changed
    GPtrArray **entries;    // by loop head: the states that came in from outside, last time
    bool restarted;         // the block that was entered last has to be entered again
    GHashTable *origins;
    struct flow_states *out;              // by block
    const struct flow_listener *listener; // while replaying, else NULL
    const struct ir_block *block;         // being stepped through
    struct ir_location released_at;       // where the callee releases, while its outcome is applied
    const struct model_lock_op *released_by; // while a listener hears of a release; or NULL
    bool gave_up;                            // FLOW_ROUNDS were not enough
    const struct ir_condition *account;      // a variable of its own says whether it holds a lock
    bool account_held;                       // the answer when it does
};

// A lock that a function is entered with, and what it releases it by, or NULL.
struct flow_entry_lock {
    const struct symbol *place;
    const struct model_lock_op *op;
    const struct ir_instruction *release;
};

struct flow_loop {
    const struct ir_block *head;
    guint8 *body; // by block number: is it in the loop
};

struct call_targets; // call_targets.h

enum flow_access_kind { FLOW_PLAIN, FLOW_COPY, FLOW_INNER };

struct flow_access {
    const struct ir_instruction *instruction;
    const struct symbol *place;
    const struct symbol *spelled; // with locals' names where they differ; or NULL
    bool write, is_volatile;
    uint64_t bytes;              // 0 unknown
    const struct symbol *length; // then, of a copy: a parameter that says it; or NULL
    enum flow_access_kind kind;
    const struct summary_access *inner; // FLOW_INNER: where in the callee
};

struct flow_call {
    const struct ir_instruction *instruction;
    const struct model_function *model; // or NULL
    const struct ir_function *function; // in this unit, or NULL
    const struct summary *summary;      // or NULL
    const struct call_targets *targets; // of an indirect call under a lock, or NULL
    unsigned effects;                   // of the model, at this call: flags may decide
    bool no_return;                     // at this call
    bool too_far;                       // another file has it, but too many lie between
    const struct symbol *const *arguments;
};

// The process ends there: nobody is left to wait for the lock, and nothing else matters.
bool flow_call_crashes(const struct flow_call *call);
// It ends in order, and nothing else makes the call not return.
bool flow_call_exits(const struct flow_call *call);

// `state` is the state before the operation. Callbacks may be NULL.
struct flow_listener {
    void *context;
    void (*access)(void *context, const struct flow *flow, const struct flow_state *state,
                   const struct flow_access *access);
    void (*call)(void *context, const struct flow *flow, const struct flow_state *state,
                 const struct flow_call *call);
    void (*acquire)(void *context, const struct flow *flow, const struct flow_state *state,
                    const struct flow_site *site, const struct symbol *place);
    // `lock` is the index in state->locks, or -1 when it is not held there. `exact`: by the same
    // name, not by elimination.
    void (*release)(void *context, const struct flow *flow, const struct flow_state *state,
                    const struct ir_instruction *instruction, const struct symbol *place, int lock,
                    bool exact);
    // The pointer popped: `place` := what stands behind the pointer it held.
    void (*pop)(void *context, const struct flow *flow, const struct flow_state *state,
                const struct symbol *pointer);
    // `value` NULL: none.
    void (*leave)(void *context, const struct flow *flow, const struct flow_state *state,
                  const struct ir_block *block, const struct symbol *value);
    void (*debug)(void *context, const struct flow *flow, const struct flow_state *state,
                  const struct ir_instruction *instruction, const struct symbol *value);
};

// Iterates to the fixed point. `entry_locks`: struct flow_entry_lock, or NULL.
struct flow *flow_new(struct analysis *analysis, const struct ir_function *function,
                      const GArray *entry_locks);
void flow_free(struct flow *flow); // accepts NULL
// Where the lock is taken in the end: in the callee, when it was a call.
struct ir_location flow_site_location(const struct flow_site *site);
void flow_replay(struct flow *flow, const struct flow_listener *listener);
bool flow_loop_holds(const struct flow_loop *loop, const struct ir_block *block);
// Is it another object in each round of the loop?
bool flow_varies(const struct flow *flow, const struct flow_loop *loop,
                 const struct symbol *symbol);
const struct ir_block *flow_block_of(const struct flow *flow,
                                     const struct ir_instruction *instruction);

// ---- Shared with flow_step.c.
const struct symbol *flow_place(struct flow *flow, const struct flow_state *state,
                                const struct ir_path *path,
                                const struct ir_instruction *instruction);
const struct symbol *flow_value(struct flow *flow, const struct flow_state *state,
                                const struct ir_value *value,
                                const struct ir_instruction *instruction);
struct flow_site *flow_site_for(struct flow *flow, const struct ir_instruction *instruction,
                                enum flow_site_kind kind, const struct symbol *place,
                                const struct model_lock_op *op);
// Steps all states of `states` over one instruction; states may end, and split.
void flow_step(struct flow *flow, const struct ir_instruction *instruction,
               struct flow_states *states);
// `left REL right` as a TEST symbol; *negated: the answer is to be inverted.
const struct symbol *flow_test(struct flow *flow, const struct flow_state *state,
                               const struct ir_condition *condition, bool *negated);

#endif
