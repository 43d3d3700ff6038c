// The control-flow graph while it is built, and what is done to it once: jumps resolved, empty and
// unreached blocks dropped, chains merged, loops marked.
#include <string.h>

#include "lower.h"

static void block_free(gpointer data)
{
    struct lower_block *block = data;
    g_ptr_array_unref(block->instructions);
    g_array_unref(block->targets);
    g_free(block);
}

void fn_init(struct fn *fn, struct lower *l, struct ir_function *ir)
{
    *fn = (struct fn){.l = l, .unit = l->unit, .ir = ir, .at = ir->location};
    fn->blocks = g_ptr_array_new_with_free_func(block_free);
    fn->locals = g_hash_table_new(NULL, NULL);
    fn->labels = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    fn->gotos = g_ptr_array_new_with_free_func(g_free);
    fn->computed = g_ptr_array_new();
    fn->block = fn_block(fn);
}

struct lower_block *fn_block(struct fn *fn)
{
    struct lower_block *block = g_new0(struct lower_block, 1);
    block->ir = IR_NEW(fn->unit, struct ir_block, 1);
    block->instructions = g_ptr_array_new();
    block->targets = g_array_new(FALSE, FALSE, sizeof(struct lower_block *));
    g_ptr_array_add(fn->blocks, block);
    if (fn->blocks->len == LIMIT_BLOCKS)
        fn_degrade(fn, fn->ir->location, "more than LIMIT_BLOCKS basic blocks");
    return block;
}

void fn_degrade(struct fn *fn, struct ir_location location, const char *why)
{
    if (fn->ir->degraded)
        return;
    g_autofree char *text = g_strdup_printf("%s:%u: %s", location.file, location.line, why);
    fn->ir->degraded = true;
    fn->ir->degraded_why = ir_text(fn->unit, text);
}

void fn_target(struct lower_block *from, struct lower_block *to)
{
    g_array_append_val(from->targets, to);
}

void fn_start(struct fn *fn, struct lower_block *block)
{
    fn->block = block;
}

// Ends the block and goes on in one that nothing leads to, until somebody starts another.
void fn_end(struct fn *fn, enum ir_terminator_kind kind, struct ir_location location)
{
    if (!fn->block->ended) {
        fn->block->ir->kind = kind;
        fn->block->ir->location = location;
        fn->block->ended = true;
    }
    fn->at = location;
    fn->block = fn_block(fn);
}

void fn_jump(struct fn *fn, struct lower_block *to, struct ir_location location)
{
    fn_target(fn->block, to);
    fn_end(fn, IR_JUMP, location);
}

void fn_continue_in(struct fn *fn, struct lower_block *block)
{
    fn_target(fn->block, block);
    fn->block->ir->kind = IR_JUMP;
    fn->block->ir->location = fn->at;
    fn->block->ended = true;
    fn->block = block;
}

void fn_branch(struct fn *fn, struct ir_condition condition, struct lower_block *yes,
               struct lower_block *no, struct ir_location location)
{
    fn->block->ir->condition = condition;
    fn_target(fn->block, yes);
    fn_target(fn->block, no);
    fn_end(fn, IR_BRANCH, location);
}

struct ir_instruction *fn_emit(struct fn *fn, enum ir_op op, struct ir_location location)
{
    struct ir_instruction *in = IR_NEW(fn->unit, struct ir_instruction, 1);
    in->op = op;
    in->number = fn->numbers++;
    in->location = fn->at = location;
    g_ptr_array_add(fn->block->instructions, in);
    return in;
}

// ---- Finishing

static struct lower_block *target(const struct lower_block *block, unsigned i)
{
    return g_array_index(block->targets, struct lower_block *, i);
}

// Past blocks that do nothing but jump. A ring of them (`for (;;);`) is left as it is.
static struct lower_block *skip_empty(struct lower_block *block)
{
    struct lower_block *at = block;
    for (unsigned hops = 0; hops < 64; hops++) {
        if (at->instructions->len || at->ir->kind != IR_JUMP || at->targets->len != 1 ||
            at->ir->loop_constant_bound)
            return at;
        if (target(at, 0) == at)
            return at;
        at = target(at, 0);
    }
    return block;
}

static void thread_jumps(struct fn *fn)
{
    for (guint i = 0; i < fn->blocks->len; i++) {
        struct lower_block *block = fn->blocks->pdata[i];
        for (guint k = 0; k < block->targets->len; k++)
            g_array_index(block->targets, struct lower_block *, k) = skip_empty(target(block, k));
        if (block->ir->kind == IR_BRANCH && target(block, 0) == target(block, 1)) {
            block->ir->kind = IR_JUMP;
            g_array_set_size(block->targets, 1);
        }
    }
}

enum visit { UNSEEN, OPEN, DONE };

// Depth first with a stack of our own: a function may have 200,000 blocks.
struct frame {
    struct lower_block *block;
    guint next;
};

static void number_blocks(struct fn *fn)
{
    for (guint i = 0; i < fn->blocks->len; i++)
        ((struct lower_block *)fn->blocks->pdata[i])->ir->number = i;
}

// Visits what is reachable; marks targets of back edges; `seen` says which blocks were visited.
static void walk_graph(struct fn *fn, unsigned char *state)
{
    GArray *stack = g_array_new(FALSE, FALSE, sizeof(struct frame));
    struct frame first = {fn->blocks->pdata[0], 0};
    state[0] = OPEN;
    g_array_append_val(stack, first);
    while (stack->len) {
        struct frame *top = &g_array_index(stack, struct frame, stack->len - 1);
        if (top->next == top->block->targets->len) {
            state[top->block->ir->number] = DONE;
            g_array_set_size(stack, stack->len - 1);
            continue;
        }
        struct lower_block *next = target(top->block, top->next++);
        unsigned char *at = &state[next->ir->number];
        if (*at == OPEN) {
            next->ir->loop_head = true;
        } else if (*at == UNSEEN) {
            *at = OPEN;
            struct frame frame = {next, 0};
            g_array_append_val(stack, frame);
        }
    }
    g_array_unref(stack);
}

// A block that alone leads to another, which nothing else leads to, takes it over.
static void merge_chains(struct fn *fn, const unsigned char *state)
{
    g_autofree unsigned *entries = g_new0(unsigned, fn->blocks->len + 1);
    entries[0] = 1;
    for (guint i = 0; i < fn->blocks->len; i++) {
        const struct lower_block *block = fn->blocks->pdata[i];
        for (guint k = 0; state[i] != UNSEEN && k < block->targets->len; k++)
            entries[target(block, k)->ir->number]++;
    }
    for (guint i = 0; i < fn->blocks->len; i++) {
        struct lower_block *block = fn->blocks->pdata[i];
        if (state[i] == UNSEEN || !block->ended)
            continue;
        while (block->ir->kind == IR_JUMP && block->targets->len == 1) {
            struct lower_block *next = target(block, 0);
            if (next == block || entries[next->ir->number] != 1 || !next->ended)
                break;
            for (guint k = 0; k < next->instructions->len; k++)
                g_ptr_array_add(block->instructions, next->instructions->pdata[k]);
            struct ir_block kept = *block->ir;
            *block->ir = *next->ir;
            block->ir->number = kept.number;
            block->ir->loop_head = kept.loop_head;
            block->ir->loop_constant_bound = kept.loop_constant_bound;
            block->ir->loop_bound = kept.loop_bound;
            GArray *targets = block->targets;
            block->targets = next->targets;
            next->targets = targets;
            g_array_set_size(next->targets, 0);
            next->ended = false; // gone
        }
    }
}

static void freeze_block(struct fn *fn, struct lower_block *block)
{
    struct ir_block *ir = block->ir;
    ir->n_instructions = block->instructions->len;
    ir->instructions = IR_NEW(fn->unit, struct ir_instruction *, ir->n_instructions);
    if (ir->n_instructions)
        memcpy(ir->instructions, block->instructions->pdata, sizeof(gpointer) * ir->n_instructions);
    ir->n_targets = block->targets->len;
    ir->targets = IR_NEW(fn->unit, unsigned, ir->n_targets);
    for (unsigned i = 0; i < ir->n_targets; i++)
        ir->targets[i] = target(block, i)->ir->number;
}

static void freeze(struct fn *fn, const unsigned char *state)
{
    g_autoptr(GPtrArray) kept = g_ptr_array_new();
    for (guint i = 0; i < fn->blocks->len; i++) {
        struct lower_block *block = fn->blocks->pdata[i];
        if (state[i] != UNSEEN && block->ended)
            g_ptr_array_add(kept, block);
    }
    for (guint i = 0; i < kept->len; i++)
        ((struct lower_block *)kept->pdata[i])->ir->number = i;
    fn->ir->n_blocks = kept->len;
    fn->ir->blocks = IR_NEW(fn->unit, struct ir_block *, kept->len);
    for (guint i = 0; i < kept->len; i++) {
        freeze_block(fn, kept->pdata[i]);
        fn->ir->blocks[i] = ((struct lower_block *)kept->pdata[i])->ir;
    }
    fn->ir->n_instructions = fn->numbers;
}

void fn_finish(struct fn *fn)
{
    fn_end(fn, IR_RETURN, fn->ir->end);
    jumps_resolve(fn);
    // Blocks that were made and never ended lead nowhere and are reached by nobody.
    for (guint i = 0; i < fn->blocks->len; i++) {
        struct lower_block *block = fn->blocks->pdata[i];
        if (!block->ended) {
            block->ir->kind = IR_UNREACHABLE;
            block->ended = true;
        }
    }
    thread_jumps(fn);
    number_blocks(fn);
    GByteArray *state = g_byte_array_new(); // enum visit of each block
    g_byte_array_set_size(state, fn->blocks->len);
    memset(state->data, UNSEEN, state->len);
    walk_graph(fn, state->data);
    merge_chains(fn, state->data);
    freeze(fn, state->data);
    g_byte_array_unref(state);
    g_ptr_array_unref(fn->blocks);
    g_hash_table_unref(fn->locals);
    g_hash_table_unref(fn->labels);
    g_ptr_array_unref(fn->gotos);
    g_ptr_array_unref(fn->computed);
}
