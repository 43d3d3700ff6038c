// Lowering: libclang's AST to the IR. Private to lower*.c.
//
// libclang shows the AST through cursors: a kind, a type, children in source order, no names for
// roles. Each lower_*.c knows how to read the roles of its kinds off the children. Implicit casts
// and a few GNU expressions are all "UnexposedExpr" and are told apart by their children and, for
// atomics, by the text at their spelling location.
//
// An expression is lowered to a value (struct ir_value) or a place (struct place); what has to
// happen on the way becomes instructions of fn->block. Code after a jump goes into a block that
// nobody reaches, and blocks nobody reaches are dropped at the end: so lowering never has to ask
// whether it is reachable.
#ifndef SPINFAULT_ANALYZER_LOWER_H
#define SPINFAULT_ANALYZER_LOWER_H

#include <clang-c/Index.h>

#include "ir.h"
#include "model.h"

// ---- One translation unit

// What did not parse.
struct lower_error {
    const char *file;
    unsigned line;
};

struct lower {
    struct ir_unit *unit;
    const struct model_set *models;
    const char *root, *directory; // of the project; the compiler's working directory
    CXTranslationUnit tu;
    GHashTable *files;     // CXFile -> const char*, as named in the IR
    GHashTable *types;     // CXType.data[0] -> struct lower_type*
    GHashTable *variables; // decl -> struct ir_variable*, those that outlive a function
    GHashTable *fields;    // decl -> struct lower_field*
    GHashTable *callees;   // decl -> struct lower_callee*
    GHashTable *by_name;   // name -> CXCursor*, functions of the unit; made when first needed
    GHashTable *queued;    // decl of every definition that is lowered or will be
    GArray *queue;         // CXCursor, definitions to lower
    GArray *errors;        // struct lower_error
};

// A type with what lowering wants to know besides.
struct lower_type {
    struct ir_type ir;
    CXType type, canonical;
    bool is_record, is_void, is_volatile, is_function, is_va_list;
    const char *record; // name of the struct or union, without "struct "; "" anonymous
    GArray *fields;     // CXCursor, of a record; made when first needed
};

struct lower_field {
    const char *name, *record;
    uint64_t offset, size, record_size, record_align;
    const struct lower_type *type;
    bool anonymous; // an unnamed struct or union: no step of its own
};

struct lower_callee {
    const char *name, *usr;
    bool no_return;
    const struct model_lock_op *lock_op;
    bool marker;         // lock_op is meant by an overlay's marker: the lock is the only argument
    bool atomic_builtin; // __sync_… and the two of __atomic_… that are calls
    CXCursor definition; // null when the unit has none
};

// ---- One function

struct lower_block {
    struct ir_block *ir;
    GPtrArray *instructions;
    GArray *targets; // struct lower_block*
    bool ended;
};

// What is to be called when control leaves a scope. A scope is the list as it was on entry.
struct cleanup {
    const struct cleanup *outer;
    const struct ir_variable *variable;
    unsigned depth;
    const struct model_lock_op *lock_op; // a modelled guard: it took `lock`; else NULL
    struct ir_value lock;
};

struct jump_target {
    struct lower_block *block;
    const struct cleanup *cleanups;
};

struct switch_case {
    struct ir_case range;
    struct lower_block *block;
};

struct label {
    struct jump_target target;
    bool placed, address_taken;
};

// A goto waits for its label's place to be known; then the cleanups between are put in.
struct pending_goto {
    struct lower_block *from;
    const struct cleanup *cleanups;
    struct label *label;
    struct ir_location location;
};

struct fn {
    struct lower *l;
    struct ir_unit *unit;
    struct ir_function *ir;
    GPtrArray *blocks;         // struct lower_block*
    struct lower_block *block; // where instructions go
    unsigned numbers;
    unsigned depth;        // of recursion
    struct ir_location at; // of what was emitted last, for jumps nothing in the source stands for
    GHashTable *locals;    // decl -> struct ir_variable*
    GHashTable *labels;    // name -> struct label*
    GPtrArray *gotos;      // struct pending_goto*
    GPtrArray *computed;   // struct lower_block*: end in a computed goto
    const struct cleanup *cleanups;
    const struct ir_instruction *last_acquire; // in the initialiser that is being lowered
    struct jump_target break_to, continue_to;
    GArray *cases; // struct switch_case of the innermost switch; NULL outside
    struct lower_block *default_case;
};

// Where something is stored.
struct place {
    struct ir_path path;
    const struct lower_type *type;
    bool is_bitfield;
};

// ---- lower_names.c: what cursors stand for
struct ir_location lower_location(struct lower *l, CXCursor cursor);
struct ir_location lower_end(struct lower *l, CXCursor cursor);
const char *lower_file(struct lower *l, CXFile file);
const char *lower_take(struct lower *l, CXString text); // interned
// The source text from where the cursor is spelled on: not terminated by anything but the file's
// end; NULL when there is none. `*bytes` is what is left of the file.
const char *lower_spelled(struct lower *l, CXCursor cursor, size_t *bytes);
// The source text of the expression where it is written, also as an argument of a macro; ""
// when that is nowhere.
const char *lower_written(struct lower *l, CXCursor cursor, size_t *bytes);
// The expression as it is written, on one line and shortened; NULL when that is nowhere.
const char *lower_source(struct lower *l, CXCursor cursor);
// An expression with an error in it: of its parts, only some are there.
bool lower_is_broken(CXCursor expression);
const struct lower_type *lower_type(struct lower *l, CXType type);
const struct lower_type *lower_type_of(struct lower *l, CXCursor cursor);
// Fields of a record in order (CXCursor), also unnamed ones.
const GArray *lower_record_fields(struct lower *l, const struct lower_type *type);
const struct lower_field *lower_field(struct lower *l, CXCursor field);
const struct lower_callee *lower_callee(struct lower *l, CXCursor function);
const struct lower_callee *lower_callee_named(struct lower *l, const char *name);
const struct ir_variable *lower_variable(struct fn *fn, CXCursor decl);
const struct ir_variable *lower_global(struct lower *l, CXCursor decl);
const struct ir_variable *lower_temporary(struct fn *fn, const char *name,
                                          const struct lower_type *type);
void lower_want(struct lower *l, CXCursor definition);

// Children of a cursor; small numbers stay on the stack.
struct kids {
    CXCursor few[4];
    CXCursor *at;
    unsigned n, room;
};
void kids_of(struct kids *kids, CXCursor cursor);
void kids_expressions(struct kids *kids, CXCursor cursor); // without TypeRef, attributes, …
void kids_clear(struct kids *kids);

// ---- lower_block.c: the graph
void fn_init(struct fn *fn, struct lower *l, struct ir_function *ir);
void fn_finish(struct fn *fn); // resolves, prunes, numbers; frees what is not the IR
struct lower_block *fn_block(struct fn *fn);
void fn_continue_in(struct fn *fn, struct lower_block *block); // jumps there and goes on there
void fn_start(struct fn *fn, struct lower_block *block);       // goes on there
void fn_jump(struct fn *fn, struct lower_block *to, struct ir_location location);
void fn_branch(struct fn *fn, struct ir_condition condition, struct lower_block *yes,
               struct lower_block *no, struct ir_location location);
void fn_end(struct fn *fn, enum ir_terminator_kind kind, struct ir_location location);
void fn_target(struct lower_block *from, struct lower_block *to);
struct ir_instruction *fn_emit(struct fn *fn, enum ir_op op, struct ir_location location);
void fn_degrade(struct fn *fn, struct ir_location location, const char *why);

// ---- lower_path.c: places and values
struct place place_of_variable(const struct ir_variable *variable, const struct lower_type *type);
struct place place_field(struct fn *fn, struct place base, const struct lower_field *field);
struct place place_deref(struct fn *fn, struct ir_value pointer, const struct lower_type *type);
struct place place_index(struct fn *fn, struct ir_value base, struct ir_value index,
                         const struct lower_type *type);
struct place place_element(struct fn *fn, struct place array, int64_t index,
                           const struct lower_type *type);
struct place place_unknown(const struct lower_type *type);
struct ir_value value_unknown(struct fn *fn, const struct lower_type *type, const char *text);
struct ir_value value_const(int64_t constant, const struct lower_type *type);
struct ir_value value_call(unsigned number, const struct lower_type *type);
struct ir_value value_address(struct place place, const struct lower_type *type);
struct ir_value value_load(struct place place);
struct ir_value value_binary(struct fn *fn, const struct ir_value *a, const char *operator,
                             const struct ir_value * b, const struct lower_type *type);
struct ir_value pointer_add(struct fn *fn, struct ir_value pointer, struct ir_value index,
                            const struct lower_type *type);
bool place_is_register(const struct place *place);
void emit_access(struct fn *fn, const struct place *place, bool write, struct ir_location at);
void emit_assign(struct fn *fn, const struct place *place, struct ir_value value,
                 struct ir_location at);
// Reads the place: an access, or the address of an array or function.
struct ir_value place_read(struct fn *fn, struct place place, struct ir_location at);
void place_write(struct fn *fn, struct place place, struct ir_value value, struct ir_location at);

// ---- lower_expr.c
struct ir_value lower_value(struct fn *fn, CXCursor expression);
struct place lower_place(struct fn *fn, CXCursor expression);
// Too deep to go on; the function is marked.
bool lower_at_limit(struct fn *fn, CXCursor cursor);
CXCursor lower_strip(CXCursor expression);
// The expression that _Generic chooses; null when there is none.
CXCursor lower_generic_choice(CXCursor expression); // parentheses and implicit casts
bool lower_constant(struct fn *fn, CXCursor expression, int64_t *value);
void lower_discard(struct fn *fn, CXCursor expression);
// ---- lower_cond.c
void lower_condition(struct fn *fn, CXCursor expression, struct lower_block *yes,
                     struct lower_block *no);
struct ir_value lower_truth(struct fn *fn, CXCursor expression);  // as 1 or 0
struct ir_value lower_choice(struct fn *fn, CXCursor expression); // a ? b : c
struct ir_value lower_elvis(struct fn *fn, CXCursor expression, const struct kids *kids);
// ---- lower_call.c, lower_atomic.c
struct ir_value lower_call(struct fn *fn, CXCursor call);
void lower_cleanup_call(struct fn *fn, const struct cleanup *cleanup, struct ir_location at);
// True when the expression is an atomic builtin; then *value is its result.
bool lower_atomic_expression(struct fn *fn, CXCursor expression, const struct kids *kids,
                             struct ir_value *value);
struct ir_value lower_sync_builtin(struct fn *fn, CXCursor call, const struct lower_callee *callee,
                                   const struct ir_value *arguments, unsigned n);
// ---- lower_stmt.c, lower_loop.c, lower_jump.c
void lower_statement(struct fn *fn, CXCursor statement);
// The value of the last expression statement of a ({ … }).
struct ir_value lower_statement_expression(struct fn *fn, CXCursor expression);
void lower_while(struct fn *fn, CXCursor statement);
void lower_do(struct fn *fn, CXCursor statement);
void lower_for(struct fn *fn, CXCursor statement);
void lower_switch(struct fn *fn, CXCursor statement);
void lower_case(struct fn *fn, CXCursor statement);
void lower_default(struct fn *fn, CXCursor statement);
void lower_label(struct fn *fn, CXCursor statement);
void lower_goto(struct fn *fn, CXCursor statement);
void lower_indirect_goto(struct fn *fn, CXCursor statement);
void lower_asm(struct fn *fn, CXCursor statement);
void lower_return(struct fn *fn, CXCursor statement);
void lower_take_label_address(struct fn *fn, CXCursor expression);
void leave_scopes(struct fn *fn, const struct cleanup *until, struct ir_location at);
void jumps_resolve(struct fn *fn);
// ---- lower_init.c
void lower_declaration(struct fn *fn, CXCursor statement);
void lower_initializer(struct fn *fn, struct place place, CXCursor initializer);
struct place lower_compound_literal(struct fn *fn, CXCursor literal);
void lower_global_initializer(struct lower *l, CXCursor variable);
void note_function_use(struct lower *l, const char *usr, const char *name, const char *record,
                       const char *field, const char *variable_usr, struct ir_location at);
// Remembers `place = function` as a candidate of indirect calls; nothing for other values.
void note_stored_function(struct fn *fn, const struct place *place, const struct ir_value *value,
                          struct ir_location at);
// ---- lower_function.c
void lower_function(struct lower *l, CXCursor definition);

#endif
