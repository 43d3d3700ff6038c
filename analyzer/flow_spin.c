// See flow_spin.h. A retry loop of a lock-free update looks alike; it swaps what it has read, not 0
// for a constant.
#include "flow_spin.h"

static const struct model_lock_op OPERATIONS[] = {
    [IR_ATOMIC_TEST_AND_SET] = {.model = "c11-gcc-atomics",
                                .family = "atomic",
                                .name = "test-and-set",
                                .action = MODEL_ACQUIRE},
    [IR_ATOMIC_EXCHANGE] = {.model = "c11-gcc-atomics",
                            .family = "atomic",
                            .name = "exchange",
                            .action = MODEL_ACQUIRE},
    [IR_ATOMIC_CAS] = {.model = "c11-gcc-atomics",
                       .family = "atomic",
                       .name = "compare-and-swap",
                       .action = MODEL_ACQUIRE},
};

static bool is_result_of(const struct ir_value *value, const struct ir_instruction *atomic)
{
    return value->kind == IR_VALUE_CALL && value->index == atomic->number;
}

// Is there a way back to the instruction when its result says so, and one out when it does not?
// `wanted`: the result that must lead out, 0 or not.
static bool spins_until(const struct flow *flow, const struct ir_instruction *atomic, bool wanted)
{
    const struct ir_block *block = flow_block_of(flow, atomic);
    const struct ir_condition *condition = &block->condition;
    if (block->kind != IR_BRANCH || block->n_targets != 2 ||
        !is_result_of(&condition->left, atomic))
        return false;
    bool zero_right = condition->relation == IR_NONZERO ||
                      (condition->right.kind == IR_VALUE_CONST && condition->right.constant == 0);
    bool nonzero = condition->relation == IR_NONZERO || condition->relation == IR_NE;
    if (!zero_right || (!nonzero && condition->relation != IR_EQ))
        return false;
    // The target that is taken when the result is as wanted.
    unsigned out = block->targets[wanted == nonzero ? 0 : 1];
    unsigned back = block->targets[wanted == nonzero ? 1 : 0];
    for (guint i = 0; i < flow->loops->len; i++) {
        const struct flow_loop *loop = flow->loops->pdata[i];
        if (loop->body[block->number] && loop->body[back] && !loop->body[out])
            return true;
    }
    return false;
}

static bool is_const(struct flow *flow, const struct flow_state *state,
                     const struct ir_value *value, const struct ir_instruction *atomic, bool zero)
{
    const struct symbol *symbol = flow_value(flow, state, value, atomic);
    return symbol->kind == SYMBOL_CONST && (symbol->number == 0) == zero;
}

const struct model_lock_op *flow_spin_acquire(struct flow *flow, const struct flow_state *state,
                                              const struct ir_instruction *atomic, bool *zero)
{
    bool found = false;
    *zero = atomic->atomic != IR_ATOMIC_CAS;
    switch (atomic->atomic) {
    case IR_ATOMIC_TEST_AND_SET:
        found = true;
        break;
    case IR_ATOMIC_EXCHANGE:
        found = is_const(flow, state, &atomic->value, atomic, false);
        break;
    case IR_ATOMIC_CAS:
        found = is_const(flow, state, &atomic->value, atomic, false) &&
                is_const(flow, state, &atomic->expected, atomic, true);
        break;
    default:
        break;
    }
    return found && spins_until(flow, atomic, !*zero) ? &OPERATIONS[atomic->atomic] : NULL;
}

bool flow_spin_release(struct flow *flow, const struct flow_state *state,
                       const struct ir_instruction *atomic, const struct symbol *place)
{
    if (atomic->atomic == IR_ATOMIC_CLEAR)
        return true;
    if ((atomic->atomic != IR_ATOMIC_STORE && atomic->atomic != IR_ATOMIC_EXCHANGE) ||
        !is_const(flow, state, &atomic->value, atomic, true))
        return false;
    if (flow_find_lock(state, place) >= 0)
        return true;
    // `static void unlock(int *word) { store(word, 0); }`
    const struct symbol *root = symbol_root(place);
    return flow->function->n_blocks == 1 && flow->function->n_instructions <= 3 && place == root &&
           root->kind == SYMBOL_DEREF && root->a->kind == SYMBOL_LOAD &&
           symbol_on_stack(root->a->a);
}
