// What is known at one point of a function, on one family of paths to it.
//
// A block has several states, one for each set of locks that may be held there (and, while there is
// room, for each answer to a question that is asked twice), so `if (f) lock … if (f) unlock` and
// the two outcomes of a try-lock are followed exactly. Within a state everything is a must: a lock
// is held, a page has been touched. `maybe` marks what could not be kept apart.
#ifndef SPINFAULT_ANALYZER_FLOW_STATE_H
#define SPINFAULT_ANALYZER_FLOW_STATE_H

#include "flow_map.h"
#include "flow_symbol.h"

#define FLOW_STATES      8u  // states of one block
#define TOUCH_GRAIN      512 // bytes that a touch is remembered by
#define TOUCH_READ       1u
#define TOUCH_WRITE      2u
#define TEST_TRUE        1u
#define TEST_PINNED      2u
#define TEST_OF_LOCK     4u              // decides over a lock operation, or is about its result
#define BINDING_LIMIT    2048            // values a state knows; see flow_blur()
#define TOUCH_LIMIT      2048            // touches a state remembers; later ones are forgotten
#define TOUCH_MAX_GRAINS 64              // of one access; more is remembered by its first ones
#define TOUCH_ALL        INT64_MIN       // detail: the whole region, whatever its size
#define TOUCH_SWEPT      (-1)            // detail of a SWEEP: its loop is over
#define TOUCH_VALUE      (INT64_MIN + 1) // detail: the key is a pointer that was loaded unlocked

// Where a lock is taken: one section.
enum flow_site_kind { SITE_ACQUIRE, SITE_TRY, SITE_CALL, SITE_ENTRY };
struct flow_site {
    unsigned number; // index in the function's sites
    enum flow_site_kind kind;
    const struct ir_instruction *instruction; // NULL for SITE_ENTRY
    const struct symbol *place;               // of the lock
    const struct model_lock_op *op; // SITE_ENTRY: of the release. NULL for a wrapper that has none
    struct ir_location inner;       // SITE_CALL: where the callee takes it; or line 0
    bool asked; // SITE_CALL: the callee takes it on a condition that nobody here decides
};

// How it is held at this point; EITHER when that is not known.
enum flow_mode { HELD_BY_WRITER, HELD_BY_READER, HELD_BY_EITHER };

struct flow_lock {
    const struct symbol *place;
    const struct symbol *also; // another name that is still good, or NULL
    const struct flow_site *site;
    enum flow_mode mode;
    bool maybe; // held on some of the merged paths only
    bool stale; // taken in an earlier round of a loop; its name means another object now
};

struct flow_state {
    struct flow_map bindings; // place -> value; RESULT -> value
    struct flow_map touched;  // region, grain -> TOUCH_*; SWEEP, loop head -> TOUCH_*
    struct flow_map tests;    // TEST -> TEST_TRUE, TEST_PINNED
    struct flow_map given;    // TEST of a parameter as it was passed -> TEST_TRUE; see flow_given()
    struct flow_map versions; // root -> flags: the acquire (a pointer) since which it is loaded
    struct flow_map released; // place of a lock released here and not taken since -> flags: line
    struct flow_lock locks[LIMIT_LOCKS_HELD];
    unsigned n_locks;
    bool overflow; // more than LIMIT_LOCKS_HELD
    bool blurred;  // states became one that differed in what decided over locks
};

void flow_state_copy(struct flow_state *to, const struct flow_state *from); // `to` uninitialised
void flow_state_clear(struct flow_state *state);
bool flow_state_equal(const struct flow_state *a, const struct flow_state *b);

// ---- Values.
const struct symbol *flow_load(struct symbol_table *table, const struct flow_state *state,
                               const struct symbol *place);
// Binds `place`; what overlaps it is forgotten.
void flow_store(struct symbol_table *table, struct flow_state *state, const struct symbol *place,
                const struct symbol *value);
// What `what` (a call that runs again) produced before is no longer nameable.
void flow_forget(struct symbol_table *table, struct flow_state *state, const void *what);
// Everything reachable through the address of a local: a callee may have written it.
void flow_escape(struct symbol_table *table, struct flow_state *state, const struct symbol *place,
                 const struct ir_instruction *call);
// Before a store: when very many values are known already, those of the object that is stored to
// are forgotten, for each store looks at all of them.
void flow_blur(struct symbol_table *table, struct flow_state *state, const struct symbol *place,
               const struct ir_instruction *store);

// ---- Touches.
void flow_touch(struct symbol_table *table, struct flow_state *state, const struct symbol *place,
                uint64_t bytes, bool write);
void flow_touch_all(struct flow_state *state, const struct symbol *region, unsigned flags);
void flow_touch_sweep(struct symbol_table *table, struct flow_state *state,
                      const struct symbol *array, unsigned loop_head, unsigned flags);
// The loop of `loop_head` is left: what it went over counts from now on.
void flow_end_sweeps(struct flow_state *state, unsigned loop_head);
// The chance that the page of `place` was touched, by the nearest touch known: 0 to 1. With
// `need_write` only writes count.
double flow_touch_chance(struct symbol_table *table, const struct flow_state *state,
                         const struct symbol *place, uint64_t bytes, bool need_write);

// What is touched in both stays in `touched`.
void flow_meet_touches(struct flow_map *touched, const struct flow_map *other);

// ---- Questions. `truth` of TEST is recorded, or read: false when nothing is known.
// `pinned`: it guards both an acquire and its release, so the lock does not protect what it reads.
// `weight`: TEST_PINNED, TEST_OF_LOCK.
void flow_assume(struct flow_state *state, const struct symbol *test, bool truth, unsigned weight);
bool flow_known(const struct flow_state *state, const struct symbol *test, bool *truth);
// The same; what decided over a lock counts even when that was asked before the lock was taken.
bool flow_known_of_lock(const struct flow_state *state, const struct symbol *test, bool *truth);

// What the caller has decided by what it passed, if this point is reached. It stays true, so unlike
// an answer in `tests` it need not keep states apart: where ways meet, what they agree on is left.
void flow_given(struct flow_state *state, const struct symbol *test, bool truth);
// Is the value, or a part of its bits, that of a parameter on entry?
bool flow_is_parameter(const struct symbol *value);

// ---- Locks.
int flow_find_lock(const struct flow_state *state, const struct symbol *place); // -1: not held
void flow_push_lock(struct flow_state *state, const struct symbol *place,
                    const struct flow_site *site);
void flow_drop_lock(struct flow_state *state, unsigned i);
// Taking `place` makes what lies around it a new version: another holder may have changed it.
void flow_renew(struct symbol_table *table, struct flow_state *state, const struct symbol *place,
                const struct ir_instruction *acquire);

// ---- Joins. `blocks` identify PHIs; see flow_merge.c.
struct flow_states {
    struct flow_state *states[FLOW_STATES];
    unsigned n;
};
struct flow_source {
    struct flow_state *state;
    bool back_edge;
};
struct flow_join {
    struct symbol_table *table;
    const struct ir_block *block;
    GHashTable *sticky;  // places that have a PHI here already: struct symbol* -> itself
    bool settle;         // it changed often: what had a PHI keeps it, so that an end is reached
    bool tired;          // it changed very often: no answers are kept
    GHashTable *forced;  // flow_join's own: places by which a lock is named from here on
    GHashTable *origins; // PHI -> the value that came first: struct symbol*
};
// Joins sources (which are consumed) into `out`, which is empty.
void flow_join(struct flow_join *join, struct flow_source *sources, unsigned n,
               struct flow_states *out);
void flow_states_clear(struct flow_states *states);
bool flow_states_equal(const struct flow_states *a, const struct flow_states *b);

#endif
