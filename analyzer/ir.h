// The intermediate representation: what is left of a translation unit once libclang is gone.
//
// A function is a control-flow graph of basic blocks. A block is a list of small instructions and
// one terminator. Values are not SSA: an instruction names memory by access paths, and a result of
// a call is named by the number of the instruction that made it.
//
//   ACCESS   path, read or write, bytes           every load and store, in order of evaluation
//   ASSIGN   path := value                        follows the ACCESS that writes it, so that flow
//                                                 analysis can learn what a local stands for
//   CALL     callee, arguments                    after the accesses of its arguments
//   LOCK_OP  acquire, try, release                a call or marker that a model knows
//   ATOMIC   test-and-set, exchange, …            builtins, for primitives recognised by shape
//
// Everything is allocated from the unit's arena (struct ir_unit) and dies with it; text is interned
// in the unit. Nothing here mentions libclang.
#ifndef SPINFAULT_ANALYZER_IR_H
#define SPINFAULT_ANALYZER_IR_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "spinfault/base.h"

struct model_lock_op; // model.h

struct ir_location {
    const char *file; // as the unit's files are named: relative to the root when inside it
    unsigned line, column;
};

// ---- Types, as far as the analysis needs them.
struct ir_type {
    const char *name; // "BufferDesc", for messages and lock scope
    uint64_t size;    // bytes; 0 incomplete or unknown
    uint64_t align;   // bytes; 0 unknown
    bool is_pointer, is_array, is_function_pointer;
    uint64_t element_size; // array or pointer: of what it holds or points to; 0 unknown
    uint64_t count;        // array with known bound; 0 unknown
};

// ---- Access paths: base, then steps. `&a->b[i].c` is base a, steps DEREF, FIELD b, INDEX, FIELD
// c.
enum ir_base_kind {
    IR_BASE_LOCAL,        // automatic variable of this function
    IR_BASE_PARAM,        // parameter; `index` is its number
    IR_BASE_GLOBAL,       // external or file-static variable
    IR_BASE_STATIC_LOCAL, // static variable inside a function
    IR_BASE_THREAD_LOCAL,
    IR_BASE_CALL,          // what a call returned; `index` is the instruction number
    IR_BASE_STRING,        // a string literal
    IR_BASE_CONST_ADDRESS, // (type *)0x1234
    IR_BASE_UNKNOWN,       // an expression with no path; each is different from every other
};

struct ir_variable {
    const char *name;
    const char *usr; // unique across units for globals and functions; NULL for locals
    enum ir_base_kind kind;
    unsigned index; // parameter number
    struct ir_type type;
    struct ir_location location;
    bool cleanup;                 // has a cleanup attribute
    const char *cleanup_function; // its function, or NULL
};

enum ir_step_kind { IR_STEP_FIELD, IR_STEP_DEREF, IR_STEP_INDEX };

struct ir_value;

struct ir_step {
    enum ir_step_kind kind;
    // FIELD
    const char *field;
    const char *record;    // name of the struct or union; "" for an anonymous one
    uint64_t offset;       // bytes from the start of the record
    uint64_t record_size;  // bytes
    uint64_t record_align; // bytes, as declared (aligned attributes included)
    // INDEX
    bool constant_index;
    int64_t index;          // when constant
    const char *index_text; // as spelled, for messages: "pool->free_head"
    // When at run time: its value, as far as that is known, so that `slots[i]` before and after
    // `i++` are two objects. NULL when it is no constant, variable, load or call.
    const struct ir_value *index_value;
    uint64_t count; // bound of the array, 0 unknown
    // FIELD, DEREF, INDEX: size and type name of what the step arrives at
    uint64_t size;
    const char *type_name;
};

struct ir_path {
    enum ir_base_kind base;
    const struct ir_variable *variable; // LOCAL, PARAM, GLOBAL, STATIC_LOCAL, THREAD_LOCAL
    unsigned index;                     // CALL: number of the instruction
    const struct ir_step *steps;
    unsigned n_steps;
    bool truncated; // more than LIMIT_PATH_STEPS
};

// ---- Values: as much of an expression as flow analysis can use.
// `p[i]` and `*(p + i)` are p, DEREF, INDEX i, and `p + i` is the ADDRESS of that, so that a
// pointer that is moved still says where it came from. `(T *)((char *)p - n)` with a constant n
// (container_of) is the ADDRESS of p, DEREF, INDEX -n with steps of one byte. A comparison or
// negation whose result is stored (`bool got = !try(l)`) is lowered as a branch that assigns 1 or
// 0.
enum ir_value_kind {
    IR_VALUE_UNKNOWN,
    IR_VALUE_CONST,    // `constant`
    IR_VALUE_ADDRESS,  // the address of `path`; also what an array decays to
    IR_VALUE_LOAD,     // what is stored at `path`
    IR_VALUE_BITS,     // those bits of it that are set in `constant`: `flags & F`
    IR_VALUE_CALL,     // result of the CALL, LOCK_OP or ATOMIC with number `index`
    IR_VALUE_FUNCTION, // the address of the function `function`
};

struct ir_value {
    enum ir_value_kind kind;
    unsigned index; // CALL
    int64_t constant;
    struct ir_path path;
    const char *function; // usr
    const char *text;     // as spelled, shortened; may be NULL
    struct ir_type type;
};

// ---- Instructions.
enum ir_op { IR_ACCESS, IR_ASSIGN, IR_CALL, IR_LOCK_OP, IR_ATOMIC, IR_DEBUG };
enum ir_lock_action { IR_LOCK_ACQUIRE, IR_LOCK_TRY, IR_LOCK_RELEASE, IR_LOCK_CHANGE };
enum ir_atomic {
    IR_ATOMIC_TEST_AND_SET,
    IR_ATOMIC_EXCHANGE,
    IR_ATOMIC_CAS,
    IR_ATOMIC_FETCH, // fetch_add, fetch_or, …
    IR_ATOMIC_LOAD,
    IR_ATOMIC_STORE,
    IR_ATOMIC_CLEAR,
};

struct ir_instruction {
    enum ir_op op;
    unsigned number; // unique in the function, ascending in order of lowering
    struct ir_location location;
    // ACCESS, ASSIGN, ATOMIC
    struct ir_path path;
    bool write, is_volatile;
    // CALL
    bool indirect;
    bool no_return; // by attribute or model
    // ACCESS, ASSIGN, ATOMIC
    uint64_t bytes; // 0 unknown
    // ASSIGN: path := value. ATOMIC: the operand.
    struct ir_value value;
    // CALL, LOCK_OP, ATOMIC, DEBUG
    const char *callee;     // name; for an indirect call the expression as spelled
    const char *callee_usr; // NULL for an indirect call
    struct ir_value target; // indirect call: what is called
    const struct ir_value *arguments;
    unsigned n_arguments;
    enum ir_lock_action action; // LOCK_OP
    struct ir_type result_type;
    // LOCK_OP
    const struct model_lock_op *lock_op;
    struct ir_value lock; // the lock's address: ADDRESS of the word, or LOAD of a pointer to it
    // ATOMIC
    struct ir_value expected; // CAS
    enum ir_atomic atomic;
    bool relaxed; // it orders nothing around it: no lock is given back so
};

// ---- Terminators.
enum ir_terminator_kind {
    IR_JUMP,        // targets[0]
    IR_BRANCH,      // condition true: targets[0], false: targets[1]
    IR_SWITCH,      // targets[i] for cases[i], the last target is the default
    IR_COMPUTED,    // computed goto, asm goto: any of targets
    IR_RETURN,      // `value` when has_value
    IR_UNREACHABLE, // after a call that does not return
};
enum ir_relation { IR_NONZERO, IR_EQ, IR_NE, IR_LT, IR_LE, IR_GT, IR_GE };

// `left RELATION right`; IR_NONZERO has no right. A negation is lowered by swapping the targets.
struct ir_condition {
    enum ir_relation relation;
    struct ir_value left, right;
};

struct ir_case {
    int64_t low, high;
};

struct ir_block {
    unsigned number; // index in the function's blocks; 0 is the entry
    struct ir_instruction **instructions;
    unsigned n_instructions;
    enum ir_terminator_kind kind;
    struct ir_location location; // of the terminator
    struct ir_condition condition;
    struct ir_value value; // SWITCH: the subject. RETURN: the result
    bool has_value;
    const struct ir_case *cases; // n_targets - 1 of them
    unsigned *targets;
    unsigned n_targets;
    bool loop_head;           // target of a back edge
    bool loop_constant_bound; // its trip count is a small compile-time constant
    uint64_t loop_bound;      // then
};

struct ir_function {
    const char *name, *usr;
    struct ir_location location, end;
    bool is_static, is_inline, from_header;
    const struct ir_variable **params;
    unsigned n_params;
    struct ir_type return_type;
    bool no_return;
    struct ir_block **blocks;
    unsigned n_blocks;
    unsigned n_instructions; // numbers run from 0 to here
    bool degraded;           // lowering met something it had to leave out: errors, a limit
    const char *degraded_why;
    bool switched_off; // this configuration, which is known, does not compile it
};

// An assignment of a function to a global, a field or an initialiser: candidates of indirect calls.
struct ir_function_use {
    const char *function_usr, *function_name;
    const char *record, *field; // struct field it was stored in; or NULL
    const char *variable_usr;   // global it was stored in; or NULL
    struct ir_location location;
};

struct ir_unit {
    const char *file; // relative to the root when inside it
    enum file_status status;
    const char *why;          // first error for a degraded or failed file
    GPtrArray *functions;     // struct ir_function*, in order of definition
    GPtrArray *function_uses; // struct ir_function_use*
    GPtrArray *includes;      // const char*, files read, absolute
    GStringChunk *text;       // interned
    GPtrArray *memory;        // arena: blocks freed with the unit
};

struct ir_unit *ir_unit_new(const char *file);
void ir_unit_free(struct ir_unit *unit);          // accepts NULL
size_t ir_unit_bytes(const struct ir_unit *unit); // of its arena: most of what it takes
// Zeroed memory that lives as long as the unit.
void *ir_alloc(struct ir_unit *unit, size_t bytes);
#define IR_NEW(unit, type, n) ((type *)ir_alloc((unit), sizeof(type) * (n)))
// Interned: equal text, equal pointer within a unit. NULL stays NULL.
const char *ir_text(struct ir_unit *unit, const char *text);

// Paths are equal when bases and steps are; an INDEX at run time equals only the same spelling.
bool ir_path_equal(const struct ir_path *a, const struct ir_path *b);
// For people: "pool->guard", "slots[].next_free", "BufferDescriptors[].bufferdesc.freeNext".
// `&*x` is x; run-time indices are shown as []. The result is the caller's.
char *ir_path_text(const struct ir_path *path);
char *ir_value_text(const struct ir_value *value);
// One function as text, for tests and --dump-ir.
char *ir_function_text(const struct ir_function *function);

#endif
