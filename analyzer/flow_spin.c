// See flow_spin.h. A retry loop of a lock-free update looks alike; it swaps what it has read, not a
// constant. A loop that sleeps until it is woken belongs to a mutex, whose waiters do not spin.
#include "flow_spin.h"

#include <string.h>

#include "spin_word.h"

enum shape { SHAPE_TEST_AND_SET, SHAPE_EXCHANGE, SHAPE_SWAP, SHAPE_BIT, SHAPE_TICKET };

#define SHAPE(text)                                                                                \
    {.model = "c11-gcc-atomics",                                                                   \
     .family = "atomic",                                                                           \
     .name = text,                                                                                 \
     .action = MODEL_ACQUIRE,                                                                      \
     .bit_arg = -1,                                                                                \
     .when_arg = -1}
static const struct model_lock_op OPERATIONS[] = {
    [SHAPE_TEST_AND_SET] = SHAPE("test-and-set"),
    [SHAPE_EXCHANGE] = SHAPE("exchange"),
    [SHAPE_SWAP] = SHAPE("compare-and-swap"),
    [SHAPE_BIT] = SHAPE("fetch-or"),
    [SHAPE_TICKET] = SHAPE("ticket"),
};

// ---- Loops that wait.

static bool is_nap(const char *name)
{
    static const char *const naps[] = {"usleep",          "nanosleep",   "sleep",
                                       "clock_nanosleep", "sched_yield", "pthread_yield",
                                       "select",          "pg_usleep",   "thrd_yield"};
    for (size_t i = 0; name && i < G_N_ELEMENTS(naps); i++) {
        if (strcmp(name, naps[i]) == 0)
            return true;
    }
    return false;
}

// Waits to be woken. Giving the CPU away for a while is still spinning.
static bool waits(const struct flow *flow, const struct ir_instruction *in)
{
    if (in->op != IR_CALL || in->indirect || !in->callee)
        return false;
    const struct model_function *model =
        flow->analysis->models ? model_find_function(flow->analysis->models, in->callee) : NULL;
    if (strstr(in->callee, "futex") || strcmp(in->callee, "syscall") == 0 ||
        (model && (model->effects & MODEL_BLOCKS) && !is_nap(in->callee)))
        return true;
    const struct ir_function *function = model ? NULL : analysis_find(flow->analysis, in);
    const struct summary *summary = function ? summary_of(flow->analysis, function) : NULL;
    for (guint i = 0; summary && i < summary->deeds->len; i++) {
        const struct summary_deed *deed = &g_array_index(summary->deeds, struct summary_deed, i);
        if ((deed->effect == MODEL_BLOCKS && !is_nap(deed->witness)) ||
            (deed->effect == MODEL_SYSCALL && strcmp(deed->witness, "syscall") == 0))
            return true;
    }
    return false;
}

static bool loop_waits(const struct flow *flow, const struct flow_loop *loop)
{
    for (unsigned b = 0; b < flow->function->n_blocks; b++) {
        const struct ir_block *block = flow->function->blocks[b];
        for (unsigned k = 0; flow_loop_holds(loop, block) && k < block->n_instructions; k++) {
            if (waits(flow, block->instructions[k]))
                return true;
        }
    }
    return false;
}

static bool holds_for(const struct ir_condition *condition, int64_t left, bool *known)
{
    int64_t right = condition->right.constant;
    if (condition->relation == IR_NONZERO)
        return left != 0;
    *known &= condition->right.kind == IR_VALUE_CONST;
    switch (condition->relation) {
    case IR_EQ:
        return left == right;
    case IR_NE:
        return left != right;
    case IR_LT:
        return left < right;
    case IR_LE:
        return left <= right;
    case IR_GT:
        return left > right;
    default:
        return left >= right;
    }
}

// ---- Values that come from the atomic operation.

// A local that is assigned the operation's result.
static bool is_kept_in(const struct flow *flow, const struct ir_value *value,
                       const struct ir_instruction *atomic)
{
    if (value->kind != IR_VALUE_LOAD || value->path.n_steps || !value->path.variable)
        return false;
    for (unsigned b = 0; b < flow->function->n_blocks; b++) {
        const struct ir_block *block = flow->function->blocks[b];
        for (unsigned k = 0; k < block->n_instructions; k++) {
            const struct ir_instruction *in = block->instructions[k];
            if (in->op == IR_ASSIGN && in->path.variable == value->path.variable &&
                in->path.n_steps == 0 && in->value.kind == IR_VALUE_CALL &&
                in->value.index == atomic->number)
                return true;
        }
    }
    return false;
}

static bool is_result_of(const struct flow *flow, const struct ir_value *value,
                         const struct ir_instruction *atomic)
{
    return (value->kind == IR_VALUE_CALL && value->index == atomic->number) ||
           is_kept_in(flow, value, atomic);
}

// Does the branch ask for the result, or for its bits in `mask`?
static bool asks(const struct flow *flow, const struct ir_block *block,
                 const struct ir_instruction *atomic, int64_t mask)
{
    if (block->kind != IR_BRANCH || block->n_targets != 2)
        return false;
    const struct ir_value *left = &block->condition.left;
    if (!mask)
        return is_result_of(flow, left, atomic);
    if (left->kind != IR_VALUE_BITS || !(left->constant & mask))
        return false;
    if (left->path.base == IR_BASE_CALL)
        return left->path.index == atomic->number && left->path.n_steps == 0;
    struct ir_value whole = {.kind = IR_VALUE_LOAD, .path = left->path};
    return is_kept_in(flow, &whole, atomic);
}

// The local that leads to the word is set in the loop to an element that only the text tells.
static bool moves_on(const struct flow *flow, const struct flow_loop *loop,
                     const struct ir_instruction *atomic, const struct symbol *place)
{
    const struct symbol *index = symbol_runtime_index(place);
    if (!index || !index->b || index->b->kind != SYMBOL_TEXT)
        return false;
    for (unsigned b = 0; b < flow->function->n_blocks; b++) {
        const struct ir_block *block = flow->function->blocks[b];
        for (unsigned k = 0; flow_loop_holds(loop, block) && k < block->n_instructions; k++) {
            const struct ir_instruction *in = block->instructions[k];
            if (in->op == IR_ASSIGN && in->path.n_steps == 0 && in->path.variable &&
                in->path.variable == atomic->path.variable)
                return true;
        }
    }
    return false;
}

// A loop with the operation in it is left when the result is `had`, and goes on when it is `lost`,
// with the same word: one that looks for an object that is free does not wait.
static bool spins(const struct flow *flow, const struct ir_instruction *atomic,
                  const struct symbol *place, const struct flow_spin *spin)
{
    const struct ir_block *home = flow_block_of(flow, atomic);
    for (guint i = 0; i < flow->loops->len; i++) {
        const struct flow_loop *loop = flow->loops->pdata[i];
        if (!flow_loop_holds(loop, home))
            continue;
        for (unsigned b = 0; b < flow->function->n_blocks; b++) {
            const struct ir_block *block = flow->function->blocks[b];
            bool known = true;
            if (!flow_loop_holds(loop, block) || !asks(flow, block, atomic, spin->mask))
                continue;
            unsigned out = block->targets[holds_for(&block->condition, spin->had, &known) ? 0 : 1];
            unsigned on = block->targets[holds_for(&block->condition, spin->lost, &known) ? 0 : 1];
            if (known && loop->body[on] && !loop->body[out])
                return !loop_waits(flow, loop) && !flow_varies(flow, loop, place) &&
                       !moves_on(flow, loop, atomic, place);
        }
    }
    return false;
}

static bool constant_of(struct flow *flow, const struct flow_state *state,
                        const struct ir_value *value, const struct ir_instruction *atomic,
                        int64_t *constant)
{
    const struct symbol *symbol = flow_value(flow, state, value, atomic);
    *constant = symbol->number;
    return symbol->kind == SYMBOL_CONST;
}

static bool names(const struct ir_instruction *atomic, const char *part)
{
    return atomic->callee && strstr(atomic->callee, part);
}

// Is the variable of what is expected given a constant in a loop around the operation?
static bool is_set_again(const struct flow *flow, const struct ir_instruction *atomic)
{
    const struct ir_variable *variable = atomic->expected.path.variable;
    const struct ir_block *home = flow_block_of(flow, atomic);
    for (guint i = 0; variable && i < flow->loops->len; i++) {
        const struct flow_loop *loop = flow->loops->pdata[i];
        for (unsigned b = 0; flow_loop_holds(loop, home) && b < flow->function->n_blocks; b++) {
            const struct ir_block *block = flow->function->blocks[b];
            for (unsigned k = 0; flow_loop_holds(loop, block) && k < block->n_instructions; k++) {
                const struct ir_instruction *in = block->instructions[k];
                if (in->op == IR_ASSIGN && in->path.variable == variable &&
                    in->value.kind == IR_VALUE_CONST)
                    return true;
            }
        }
    }
    return false;
}

// See spin_word.h.
static bool is_given_back(struct flow *flow, const struct ir_instruction *atomic, int64_t free)
{
    struct analysis *analysis = flow->analysis;
    if (!analysis->words)
        analysis->words = spin_words_new(analysis->unit);
    return spin_words_given_back(analysis->words, atomic, free);
}

bool flow_spin_acquire(struct flow *flow, const struct flow_state *state,
                       const struct ir_instruction *atomic, struct flow_spin *spin)
{
    enum shape shape;
    int64_t value = 0, expected = 0;
    *spin = (struct flow_spin){.lost = 1, .lost_known = true};
    bool constant = constant_of(flow, state, &atomic->value, atomic, &value);
    switch (atomic->atomic) {
    case IR_ATOMIC_TEST_AND_SET:
        shape = SHAPE_TEST_AND_SET;
        break;
    case IR_ATOMIC_EXCHANGE:
        // A pointer is marked as busy while it is changed in a list without locks; a lock's word
        // is a number.
        if (!constant || !value || atomic->result_type.is_pointer || atomic->value.type.is_pointer)
            return false;
        shape = SHAPE_EXCHANGE;
        spin->lost = value;
        break;
    case IR_ATOMIC_CAS:
        // What is swapped in may be anything, the owner's number for one; what is waited for is
        // always the same.
        // A variable that is not set again takes on what was found, as in a counter's loop.
        if (!constant_of(flow, state, &atomic->expected, atomic, &expected) ||
            (constant && value == expected) ||
            (atomic->expected.kind != IR_VALUE_CONST && !is_set_again(flow, atomic)))
            return false;
        shape = SHAPE_SWAP;
        spin->had = names(atomic, "val_") ? expected : 1;
        spin->lost = names(atomic, "val_") ? expected + 1 : 0;
        spin->lost_known = !names(atomic, "val_");
        break;
    case IR_ATOMIC_FETCH:
        if (!names(atomic, "fetch_or") && !names(atomic, "fetch_and_or"))
            return false;
        if (!constant || !value)
            return false;
        shape = SHAPE_BIT;
        spin->mask = value;
        spin->lost = value;
        break;
    default:
        return false;
    }
    if (!spins(flow, atomic, flow_place(flow, state, &atomic->path, atomic), spin) ||
        (shape == SHAPE_SWAP && !is_given_back(flow, atomic, expected)))
        return false;
    spin->op = &OPERATIONS[shape];
    return true;
}

// ---- Ticket locks.

static const struct ir_instruction *ticket_of(const struct flow *flow, const struct ir_value *value)
{
    for (unsigned b = 0; b < flow->function->n_blocks; b++) {
        const struct ir_block *block = flow->function->blocks[b];
        for (unsigned k = 0; k < block->n_instructions; k++) {
            const struct ir_instruction *in = block->instructions[k];
            if (in->op == IR_ATOMIC && in->atomic == IR_ATOMIC_FETCH && names(in, "add") &&
                is_result_of(flow, value, in))
                return in;
        }
    }
    return NULL;
}

// Two fields of one record.
static bool are_siblings(const struct ir_path *a, const struct ir_path *b)
{
    if (!a->n_steps || a->n_steps != b->n_steps || ir_path_equal(a, b))
        return false;
    struct ir_path x = *a, y = *b;
    x.n_steps--;
    y.n_steps--;
    return a->steps[x.n_steps].kind == IR_STEP_FIELD && b->steps[y.n_steps].kind == IR_STEP_FIELD &&
           ir_path_equal(&x, &y);
}

static bool is_read_by(const struct ir_value *value, const struct ir_instruction *read)
{
    return read->op == IR_ATOMIC
               ? value->kind == IR_VALUE_CALL && value->index == read->number
               : value->kind == IR_VALUE_LOAD && ir_path_equal(&value->path, &read->path);
}

const struct model_lock_op *flow_spin_ticket(const struct flow *flow,
                                             const struct ir_instruction *read)
{
    const struct ir_block *block = flow->block;
    const struct ir_condition *condition = &block->condition;
    if (read->write || !read->path.n_steps || block->kind != IR_BRANCH || block->n_targets != 2 ||
        (condition->relation != IR_EQ && condition->relation != IR_NE))
        return NULL;
    const struct ir_value *mine = is_read_by(&condition->left, read)    ? &condition->right
                                  : is_read_by(&condition->right, read) ? &condition->left
                                                                        : NULL;
    if (!mine)
        return NULL;
    unsigned out = block->targets[condition->relation == IR_EQ ? 0 : 1];
    unsigned on = block->targets[condition->relation == IR_EQ ? 1 : 0];
    for (guint i = 0; i < flow->loops->len; i++) {
        const struct flow_loop *loop = flow->loops->pdata[i];
        if (!loop->body[block->number] || !loop->body[on] || loop->body[out])
            continue;
        const struct ir_instruction *ticket = ticket_of(flow, mine);
        if (ticket && !flow_loop_holds(loop, flow_block_of(flow, ticket)) &&
            are_siblings(&ticket->path, &read->path) && !loop_waits(flow, loop))
            return &OPERATIONS[SHAPE_TICKET];
    }
    return NULL;
}

// ---- Releases.

static bool is_shape(const struct flow_lock *lock, enum shape shape)
{
    return lock->site->op == &OPERATIONS[shape];
}

// The bit that is the lock.
static int64_t bit_of(const struct flow_lock *lock)
{
    return lock->site->instruction ? lock->site->instruction->value.constant : 0;
}

bool flow_spin_lets_go(const struct flow_lock *lock, const struct ir_value *assigned,
                       const struct symbol *value)
{
    if (!lock->site->op || g_strcmp0(lock->site->op->family, "atomic") != 0)
        return false;
    bool constant = value->kind == SYMBOL_CONST;
    if (is_shape(lock, SHAPE_TICKET))
        return true;
    if (is_shape(lock, SHAPE_BIT)) {
        int64_t left = constant                          ? value->number
                       : assigned->kind == IR_VALUE_BITS ? assigned->constant
                                                         : bit_of(lock);
        return !(left & bit_of(lock));
    }
    return constant && (is_shape(lock, SHAPE_SWAP) || value->number == 0);
}

// `fetch_and(&word, ~BIT)`, `fetch_sub(&word, BIT)`.
static bool clears_bit(const struct flow_lock *lock, const struct ir_instruction *atomic,
                       int64_t operand)
{
    int64_t bit = bit_of(lock);
    if (names(atomic, "_and_sub") || names(atomic, "fetch_sub") || names(atomic, "xor"))
        return operand == bit;
    return (names(atomic, "fetch_and") || names(atomic, "and_fetch")) && !(operand & bit);
}

// `fetch_sub(&word, SHARE)`, of what was swapped in.
static bool takes_off(const struct flow_lock *lock, const struct ir_instruction *atomic,
                      int64_t operand)
{
    const struct ir_value *share = lock->site->instruction ? &lock->site->instruction->value : NULL;
    return names(atomic, "sub") && share && share->kind == IR_VALUE_CONST &&
           share->constant == operand;
}

bool flow_spin_release(struct flow *flow, const struct flow_state *state,
                       const struct ir_instruction *atomic, const struct symbol *place)
{
    int held = flow_find_lock(state, place);
    const struct flow_lock *lock = held >= 0 ? &state->locks[held] : NULL;
    if (atomic->atomic == IR_ATOMIC_CLEAR)
        return lock || !atomic->relaxed;
    int64_t operand = 0;
    bool constant = constant_of(flow, state, &atomic->value, atomic, &operand);
    if (lock && atomic->atomic == IR_ATOMIC_FETCH)
        return is_shape(lock, SHAPE_TICKET) ||
               (is_shape(lock, SHAPE_BIT) && constant && clears_bit(lock, atomic, operand)) ||
               (is_shape(lock, SHAPE_SWAP) && constant && takes_off(lock, atomic, operand));
    if (lock && atomic->atomic == IR_ATOMIC_CAS)
        return is_shape(lock, SHAPE_SWAP) && constant && operand == 0;
    if (atomic->atomic != IR_ATOMIC_STORE && atomic->atomic != IR_ATOMIC_EXCHANGE)
        return false;
    if (lock &&
        flow_spin_lets_go(lock, &atomic->value, flow_value(flow, state, &atomic->value, atomic)))
        return true;
    if (!constant || operand != 0)
        return false;
    if (lock)
        return true;
    // `static void unlock(int *word) { store(word, 0); }`
    const struct symbol *root = symbol_root(place);
    return flow->function->n_blocks == 1 && flow->function->n_instructions <= 3 && place == root &&
           root->kind == SYMBOL_DEREF && root->a->kind == SYMBOL_LOAD &&
           symbol_on_stack(root->a->a);
}
