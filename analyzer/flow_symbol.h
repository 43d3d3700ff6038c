// Symbols: what flow analysis calls memory and values by.
//
// A symbol is an expression over things that do not change while it is valid, so equal symbols are
// the same object: a variable's address, the value a place held on entry, the result of a call, the
// value a variable has at a join (PHI). Symbols are hash-consed in a table: equal means same
// pointer. Places (l-values) and values share the type:
//
//   places   VARIABLE x        DEREF v = *v          FIELD p.f        INDEX p[i]
//   values   ADDRESS p = &p    LOAD p                RESULT of a call  PHI of a place at a block
//            CONST n           OPAQUE                INSTANCE: a callee's symbol at one call
//            BITS v & n
//
// DEREF(ADDRESS p) is p and ADDRESS(DEREF v) is v, so a local alias `T *p = &q->lock` vanishes.
// LOAD says since which acquire it is loaded: taking a lock makes what the lock protects unknown
// again, for another thread may have changed it.
//
// The region of a place is the innermost VARIABLE, DEREF or run-time INDEX in it; within a region
// a place is a byte range. Two places of one region have a known distance.
#ifndef SPINFAULT_ANALYZER_FLOW_SYMBOL_H
#define SPINFAULT_ANALYZER_FLOW_SYMBOL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "ir.h"

enum symbol_kind {
    SYMBOL_VARIABLE,  // what: the variable
    SYMBOL_TEMPORARY, // what: the call that returned a struct by value
    SYMBOL_STRING,    // what: the instruction that mentions it
    SYMBOL_DEREF,     // a: the pointer
    SYMBOL_FIELD,     // a: the record, number: offset
    SYMBOL_INDEX,     // a: the array, b: the index; or NULL and number: the constant index
    SYMBOL_ADDRESS,   // a: the place
    SYMBOL_LOAD,      // a: the place, what: the acquire since which it is loaded, or NULL
    SYMBOL_RESULT,    // what: the instruction
    SYMBOL_PHI,       // a: the place, what: the block
    SYMBOL_CONST,     // number
    SYMBOL_OPAQUE,    // what: the instruction, a: a place or NULL, number: which of several
    SYMBOL_INSTANCE,  // a: the callee's symbol, what: the call
    SYMBOL_BITS,      // a: a value, number: the mask
    SYMBOL_TEXT,      // what: interned text
    SYMBOL_TEST,      // a, b: operands, number: enum ir_relation (EQ, LT, LE)
    SYMBOL_SWEEP,     // a: an array of which a loop touched each element, what: the loop's head
};

struct symbol {
    enum symbol_kind kind;
    unsigned id;    // in order of creation
    unsigned depth; // of the expression
    uint64_t roots; // a Bloom filter of the `what` of PHI, RESULT, OPAQUE, INSTANCE and LOAD in it
    const struct symbol *a, *b;
    int64_t number;
    const void *what;
    const struct ir_step *step; // FIELD, INDEX: of the first place that was so named
    const char *alias; // RESULT, OPAQUE, PHI: the local variable it was put into first, or NULL
};

struct symbol_table;
struct symbol_table *symbol_table_new(void);
void symbol_table_free(struct symbol_table *table); // accepts NULL; frees its symbols

// ---- Places.
// What outlives a function is the same variable in every unit that declares it.
const struct symbol *symbol_variable(struct symbol_table *table,
                                     const struct ir_variable *variable);
const struct symbol *symbol_deref(struct symbol_table *table, const struct symbol *pointer);
const struct symbol *symbol_field(struct symbol_table *table, const struct symbol *record,
                                  const struct ir_step *step);
// `index` NULL: the step's constant.
const struct symbol *symbol_index(struct symbol_table *table, const struct symbol *array,
                                  const struct ir_step *step, const struct symbol *index);
// ---- Values and the rest; unused parts are NULL and 0.
const struct symbol *symbol_make(struct symbol_table *table, enum symbol_kind kind,
                                 const struct symbol *a, const struct symbol *b, int64_t number,
                                 const void *what);
const struct symbol *symbol_const(struct symbol_table *table, int64_t number);
// Those bits of a value that are set in `mask`.
const struct symbol *symbol_bits(struct symbol_table *table, const struct symbol *value,
                                 int64_t mask);
// A symbol like one of another table, whose parts, identity and step are `a`, `b`, `what`, `step`.
const struct symbol *symbol_import(struct symbol_table *table, const struct symbol *symbol,
                                   const struct symbol *a, const struct symbol *b, const void *what,
                                   const struct ir_step *step);
const struct symbol *symbol_address(struct symbol_table *table, const struct symbol *place);
// Remembers the name under which people know a call's result.
void symbol_set_alias(const struct symbol *symbol, const char *alias);

bool symbol_is_place(const struct symbol *symbol);
// A place on this function's stack: a local, a parameter, a returned struct.
bool symbol_on_stack(const struct symbol *place);
// Is `what` the origin of a PHI, RESULT, OPAQUE, INSTANCE or LOAD inside?
bool symbol_mentions(const struct symbol *symbol, const void *what);
// Does it depend on memory that others may change: a LOAD from other than the stack, or text?
bool symbol_reads_memory(const struct symbol *symbol);
bool symbol_contains(const struct symbol *symbol, const struct symbol *part);
// `symbol` with each `from` replaced by `to`.
const struct symbol *symbol_replace(struct symbol_table *table, const struct symbol *symbol,
                                    const struct symbol *from, const struct symbol *to);

// ---- Regions.
struct symbol_range {
    const struct symbol *region;
    int64_t low, high; // bytes, [low, high)
    bool bounded;      // false: somewhere at or after `low`
};
// Where a place of `bytes` bytes lies in its region.
struct symbol_range symbol_range(const struct symbol *place, uint64_t bytes);
// Widens to the enclosing region when the region is a run-time INDEX. False at the outermost one.
bool symbol_range_widen(struct symbol_range *range);
// The outermost region: a VARIABLE, TEMPORARY, STRING or DEREF.
const struct symbol *symbol_root(const struct symbol *place);
// Is there a run-time index on the way (not behind a dereference)? The outermost one, or NULL.
const struct symbol *symbol_runtime_index(const struct symbol *place);
// Of the innermost record in it, as declared; 0 unknown.
uint64_t symbol_region_align(const struct symbol *place, const struct symbol *region);
bool symbol_same_place(const struct symbol *a, const struct symbol *b);

// For people: "pool->guard", "slots[].next_free". The result is the caller's.
char *symbol_text(const struct symbol *symbol);
// A lock's name: "ShmemLock" for the word a pointer of that name points to.
char *symbol_lock_text(const struct symbol *place);

#endif
