// Atomic operations: locks that nobody named, and accesses like others.
#include "flow_spin.h"
#include "flow_step.h"

static void bind_result(struct flow *flow, struct flow_state *state, const struct symbol *result,
                        int64_t value)
{
    struct flow_entry entry = {.key = result, .value = symbol_const(flow->analysis->table, value)};
    flow_map_set(&state->bindings, &entry);
}

static void spin_on(struct flow *flow, struct flow_states *states, unsigned s,
                    const struct ir_instruction *in, const struct flow_spin *spin)
{
    struct symbol_table *table = flow->analysis->table;
    struct flow_state *state = states->states[s];
    struct flow_state *failed = flow_split(states, state);
    const struct symbol *place = flow_place(flow, state, &in->path, in);
    flow_do_acquire(flow, state, flow_site_for(flow, in, SITE_ACQUIRE, place, spin->op), place);
    const struct symbol *result = flow_plain_result(flow, in);
    if (spin->mask) {
        const struct symbol *bit = symbol_make(table, SYMBOL_BITS, result, NULL, spin->mask, NULL);
        flow_assume(state, flow_zero_test(flow, bit), true, TEST_OF_LOCK);
        if (failed)
            flow_assume(failed, flow_zero_test(flow, bit), false, TEST_OF_LOCK);
        return;
    }
    bind_result(flow, state, result, spin->had);
    if (failed && spin->lost_known)
        bind_result(flow, failed, result, spin->lost);
    else if (failed)
        flow_assume(failed,
                    symbol_make(table, SYMBOL_TEST, result, symbol_const(table, spin->had), IR_EQ,
                                NULL),
                    false, TEST_OF_LOCK);
}

// The wait for a ticket: either it is this one's turn, and the lock is held, or the loop goes on.
void flow_wait_for_turn(struct flow *flow, struct flow_states *states, unsigned s,
                        const struct ir_instruction *in, const struct model_lock_op *op)
{
    struct flow_state *state = states->states[s];
    struct flow_state *failed = flow_split(states, state);
    const struct symbol *place = flow_place(flow, state, &in->path, in);
    flow_do_acquire(flow, state, flow_site_for(flow, in, SITE_ACQUIRE, place, op), place);
    bool negated = false;
    const struct symbol *test = flow_test(flow, state, &flow->block->condition, &negated);
    flow_assume(state, test, true, TEST_OF_LOCK);
    if (failed)
        flow_assume(failed, flow_test(flow, failed, &flow->block->condition, &negated), false,
                    TEST_OF_LOCK);
}

static void atomic_access(struct flow *flow, struct flow_state *state,
                          const struct ir_instruction *in, const struct symbol *place)
{
    struct symbol_table *table = flow->analysis->table;
    struct flow_access access = {.instruction = in,
                                 .place = place,
                                 .write = in->atomic != IR_ATOMIC_LOAD,
                                 .is_volatile = true,
                                 .bytes = in->bytes};
    flow_do_access(flow, state, &access);
    if (access.write)
        flow_store(table, state, place, symbol_make(table, SYMBOL_OPAQUE, place, NULL, 0, in));
}

void flow_step_atomic(struct flow *flow, const struct ir_instruction *in,
                      struct flow_states *states)
{
    unsigned n = states->n;
    for (unsigned s = 0; s < n; s++) {
        struct flow_state *state = states->states[s];
        flow_forget(flow->analysis->table, state, in);
        const struct symbol *place = flow_place(flow, state, &in->path, in);
        struct flow_spin spin;
        if (flow_spin_acquire(flow, state, in, &spin)) {
            spin_on(flow, states, s, in, &spin);
        } else if (flow_spin_release(flow, state, in, place)) {
            flow_do_release(flow, state, in, place, NULL);
        } else {
            atomic_access(flow, state, in, place);
            const struct model_lock_op *op =
                in->atomic == IR_ATOMIC_LOAD ? flow_spin_ticket(flow, in) : NULL;
            if (op)
                flow_wait_for_turn(flow, states, s, in, op);
            if (in->atomic == IR_ATOMIC_CAS)
                flow_release_by_swap(flow, states, s, in, place);
        }
    }
}
