// Builds IR by hand: a unit, one function at a time, block by block. Types are as small as the
// tests need; every location is line `b->line`, which b_line() moves.
#ifndef IR_BUILD_H
#define IR_BUILD_H

#include "ir.h"
#include "model.h"

struct build {
    struct ir_unit *unit;
    struct ir_function *function;
    struct ir_block *block;
    GPtrArray *blocks, *instructions, *params;
    unsigned line;
};

static inline void b_flush(struct build *b)
{
    if (!b->block)
        return;
    b->block->n_instructions = b->instructions->len;
    b->block->instructions = IR_NEW(b->unit, struct ir_instruction *, MAX(b->instructions->len, 1));
    for (guint i = 0; i < b->instructions->len; i++)
        b->block->instructions[i] = b->instructions->pdata[i];
    g_ptr_array_set_size(b->instructions, 0);
    b->block = NULL;
}

static inline struct build *b_new(void)
{
    struct build *b = g_new0(struct build, 1);
    b->unit = ir_unit_new("built.c");
    b->blocks = g_ptr_array_new();
    b->instructions = g_ptr_array_new();
    b->params = g_ptr_array_new();
    return b;
}

static inline void b_free(struct build *b)
{
    ir_unit_free(b->unit);
    g_ptr_array_unref(b->blocks);
    g_ptr_array_unref(b->instructions);
    g_ptr_array_unref(b->params);
    g_free(b);
}

static inline void b_function(struct build *b, const char *name)
{
    b->function = IR_NEW(b->unit, struct ir_function, 1);
    b->function->name = b->function->usr = ir_text(b->unit, name);
    b->function->location = b->function->end = (struct ir_location){"built.c", b->line, 1};
    g_ptr_array_set_size(b->blocks, 0);
    g_ptr_array_set_size(b->params, 0);
    g_ptr_array_add(b->unit->functions, b->function);
}

// Blocks are numbered in the order of these calls.
static inline struct ir_block *b_block(struct build *b)
{
    struct ir_block *block = IR_NEW(b->unit, struct ir_block, 1);
    block->number = b->blocks->len;
    g_ptr_array_add(b->blocks, block);
    return block;
}

static inline void b_in(struct build *b, struct ir_block *block)
{
    b_flush(b);
    b->block = block;
}

static inline void b_end(struct build *b)
{
    b_flush(b);
    b->function->n_blocks = b->blocks->len;
    b->function->blocks = IR_NEW(b->unit, struct ir_block *, b->blocks->len);
    for (guint i = 0; i < b->blocks->len; i++)
        b->function->blocks[i] = b->blocks->pdata[i];
    b->function->n_params = b->params->len;
    b->function->params = IR_NEW(b->unit, const struct ir_variable *, MAX(b->params->len, 1));
    for (guint i = 0; i < b->params->len; i++)
        b->function->params[i] = b->params->pdata[i];
}

static inline struct ir_variable *b_variable(struct build *b, const char *name,
                                             enum ir_base_kind kind)
{
    struct ir_variable *variable = IR_NEW(b->unit, struct ir_variable, 1);
    variable->name = ir_text(b->unit, name);
    variable->kind = kind;
    variable->type.is_pointer = true;
    variable->type.size = 8;
    if (kind == IR_BASE_GLOBAL)
        variable->usr = variable->name;
    if (kind == IR_BASE_PARAM) {
        variable->index = b->params->len;
        g_ptr_array_add(b->params, variable);
    }
    return variable;
}

static inline struct ir_path b_path(const struct ir_variable *variable)
{
    return (struct ir_path){.base = variable->kind, .variable = variable};
}

static inline struct ir_path b_step(struct build *b, struct ir_path path, struct ir_step step)
{
    struct ir_step *steps = IR_NEW(b->unit, struct ir_step, path.n_steps + 1);
    for (unsigned i = 0; i < path.n_steps; i++)
        steps[i] = path.steps[i];
    steps[path.n_steps] = step;
    path.steps = steps;
    path.n_steps++;
    return path;
}

// variable->field at `offset`.
static inline struct ir_path b_arrow(struct build *b, const struct ir_variable *variable,
                                     const char *field, uint64_t offset)
{
    struct ir_path path =
        b_step(b, b_path(variable), (struct ir_step){.kind = IR_STEP_DEREF, .size = 64});
    return b_step(
        b, path,
        (struct ir_step){.kind = IR_STEP_FIELD, .field = field, .offset = offset, .size = 4});
}

static inline struct ir_value b_load(struct ir_path path)
{
    return (struct ir_value){.kind = IR_VALUE_LOAD, .path = path, .type.is_pointer = true};
}

static inline struct ir_value b_address(struct ir_path path)
{
    return (struct ir_value){.kind = IR_VALUE_ADDRESS, .path = path, .type.is_pointer = true};
}

static inline struct ir_value b_const(int64_t number)
{
    return (struct ir_value){.kind = IR_VALUE_CONST, .constant = number};
}

static inline struct ir_instruction *b_add(struct build *b, enum ir_op op)
{
    struct ir_instruction *in = IR_NEW(b->unit, struct ir_instruction, 1);
    in->op = op;
    in->number = b->function->n_instructions++;
    in->location = (struct ir_location){"built.c", ++b->line, 1};
    g_ptr_array_add(b->instructions, in);
    return in;
}

static inline unsigned b_access(struct build *b, struct ir_path path, bool write)
{
    struct ir_instruction *in = b_add(b, IR_ACCESS);
    in->path = path;
    in->write = write;
    in->bytes = 4;
    return in->location.line;
}

static inline void b_assign(struct build *b, struct ir_path path, struct ir_value value)
{
    struct ir_instruction *in = b_add(b, IR_ASSIGN);
    in->path = path;
    in->value = value;
}

static inline struct ir_instruction *b_lock(struct build *b, const struct model_lock_op *op,
                                            struct ir_path lock)
{
    struct ir_instruction *in = b_add(b, IR_LOCK_OP);
    in->action = op->action == MODEL_ACQUIRE ? IR_LOCK_ACQUIRE
                 : op->action == MODEL_TRY   ? IR_LOCK_TRY
                                             : IR_LOCK_RELEASE;
    in->lock_op = op;
    in->callee = op->name;
    in->lock = b_address(lock);
    return in;
}

static inline struct ir_instruction *b_call(struct build *b, const char *callee,
                                            const struct ir_value *arguments, unsigned n)
{
    struct ir_instruction *in = b_add(b, IR_CALL);
    in->callee = in->callee_usr = ir_text(b->unit, callee);
    struct ir_value *copy = IR_NEW(b->unit, struct ir_value, MAX(n, 1));
    for (unsigned i = 0; i < n; i++)
        copy[i] = arguments[i];
    in->arguments = copy;
    in->n_arguments = n;
    return in;
}

static inline void b_targets(struct build *b, enum ir_terminator_kind kind, unsigned n,
                             const unsigned *targets)
{
    b->block->kind = kind;
    b->block->location = (struct ir_location){"built.c", ++b->line, 1};
    b->block->targets = IR_NEW(b->unit, unsigned, MAX(n, 1));
    b->block->n_targets = n;
    for (unsigned i = 0; i < n; i++)
        b->block->targets[i] = targets[i];
}

static inline void b_jump(struct build *b, const struct ir_block *to)
{
    b_targets(b, IR_JUMP, 1, (unsigned[]){to->number});
}

// To `yes` when `value` is not 0.
static inline void b_branch(struct build *b, struct ir_value value, const struct ir_block *yes,
                            const struct ir_block *no)
{
    b_targets(b, IR_BRANCH, 2, (unsigned[]){yes->number, no->number});
    b->block->condition = (struct ir_condition){.relation = IR_NONZERO, .left = value};
}

static inline void b_return(struct build *b)
{
    b_targets(b, IR_RETURN, 0, NULL);
}

static inline void b_return_value(struct build *b, struct ir_value value)
{
    b_return(b);
    b->block->has_value = true;
    b->block->value = value;
}

#endif
