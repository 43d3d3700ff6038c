// The ways in which a callee may return, as its summary knows them: which locks each of them takes
// and releases, and which can be at a call.
#include "flow_step.h"

// Neither the caller nor the result tells the two ways of a callee apart.
static bool look_alike(const struct summary_outcome *a, const struct summary_outcome *b)
{
    return !a->when.n && !b->when.n && a->zero == b->zero && a->nonzero == b->nonzero &&
           a->value == b->value;
}

static bool takes_if_asked(const struct summary *summary, const struct summary_outcome *outcome)
{
    for (unsigned i = 0; i < summary->n_outcomes; i++) {
        const struct summary_outcome *other = &summary->outcomes[i];
        if (!other->taken->len && !other->dropped->len && look_alike(outcome, other))
            return true;
    }
    return false;
}

// The locks that one kind of return changes for us.
static void apply_locks(struct flow *flow, struct flow_state *state, const struct flow_call *call,
                        const struct summary_outcome *outcome)
{
    const struct ir_instruction *in = call->instruction;
    for (guint i = 0; i < outcome->dropped->len; i++) {
        const struct symbol *place =
            summary_instance(flow, state, in, call->arguments, outcome->dropped->pdata[i]);
        if (!place || !symbol_is_place(place))
            continue;
        flow->released_at = g_array_index(outcome->dropped_at, struct ir_location, i);
        flow_do_release(flow, state, in, place, outcome->dropped_ops->pdata[i]);
        flow->released_at = (struct ir_location){0};
    }
    // That it comes back held on one way of several, and only perhaps: most often two conditions go
    // together in a manner that was not seen.
    bool believed = outcome->sure || call->summary->n_outcomes == 1;
    for (guint i = 0; believed && i < outcome->taken->len; i++) {
        const struct symbol *place =
            summary_instance(flow, state, in, call->arguments, outcome->taken->pdata[i]);
        if (!place || !symbol_is_place(place))
            continue;
        struct flow_site *site = flow_site_for(flow, in, SITE_CALL, place, outcome->ops->pdata[i]);
        site->inner = g_array_index(outcome->taken_at, struct ir_location, i);
        site->asked = takes_if_asked(call->summary, outcome);
        flow_do_acquire(flow, state, site, place);
    }
}

static void apply_outcome(struct flow *flow, struct flow_state *state, const struct flow_call *call,
                          const struct summary_outcome *outcome)
{
    const struct ir_instruction *in = call->instruction;
    if (call->summary->n_outcomes > 1)
        summary_when_assume(flow, state, call, &outcome->when);
    apply_locks(flow, state, call, outcome);
    const struct symbol *result = flow_plain_result(flow, in);
    const struct symbol *value =
        outcome->value ? summary_instance(flow, state, in, call->arguments, outcome->value) : NULL;
    if (value && value != result) {
        struct flow_entry entry = {.key = result, .value = value};
        flow_map_set(&state->bindings, &entry);
    }
    const struct symbol *test = flow_zero_test(flow, value ? value : result);
    bool known = false;
    if (outcome->zero != outcome->nonzero && !flow_known(state, test, &known))
        flow_assume(state, test, outcome->zero, TEST_OF_LOCK);
}

enum held { HELD_NOT, HELD_HERE, HELD_ELSEWHERE };

// Where the lock that `outcome` lets go of is held, as the caller knows it, if a callee took it on
// a condition of its own.
static enum held held_of_dropped(struct flow *flow, const struct flow_state *state,
                                 const struct flow_call *call,
                                 const struct summary_outcome *outcome)
{
    const struct symbol *place = summary_instance(flow, state, call->instruction, call->arguments,
                                                  outcome->dropped->pdata[0]);
    if (!place || !symbol_is_place(place))
        return HELD_NOT;
    int held = flow_find_lock(state, place);
    if (held >= 0)
        return state->locks[held].site->asked ? HELD_HERE : HELD_NOT;
    GHashTableIter all;
    gpointer data;
    g_hash_table_iter_init(&all, flow->sites);
    while (g_hash_table_iter_next(&all, NULL, &data)) {
        const struct flow_site *site = data;
        if (site->place == place && site->asked)
            return HELD_ELSEWHERE;
    }
    return HELD_NOT;
}

// A callee that lets a lock go on a condition which nothing here decides: it was asked when the
// lock was taken, too, and answered the same. True for the way that this excludes.
static bool is_other_answer(struct flow *flow, const struct flow_state *state,
                            const struct flow_call *call, unsigned i)
{
    const struct summary_outcome *outcome = &call->summary->outcomes[i];
    for (unsigned k = 0; k < call->summary->n_outcomes; k++) {
        const struct summary_outcome *other = &call->summary->outcomes[k];
        if (k == i || outcome->taken->len || other->taken->len || !look_alike(outcome, other))
            continue;
        if (!outcome->dropped->len && other->dropped->len == 1 &&
            held_of_dropped(flow, state, call, other) == HELD_HERE)
            return true;
        if (outcome->dropped->len == 1 && !other->dropped->len &&
            held_of_dropped(flow, state, call, outcome) == HELD_ELSEWHERE)
            return true;
    }
    return false;
}

static bool is_possible(struct flow *flow, const struct flow_state *state,
                        const struct flow_call *call, unsigned i)
{
    return summary_when_possible(flow, state, call, &call->summary->outcomes[i].when) &&
           !is_other_answer(flow, state, call, i);
}

void flow_apply_outcomes(struct flow *flow, struct flow_states *states, unsigned s,
                         const struct flow_call *call)
{
    const struct summary *summary = call->summary;
    struct flow_state *state = states->states[s];
    if (summary->confused)
        return;
    unsigned n = summary->n_outcomes, first = 0;
    while (first + 1 < n && !is_possible(flow, state, call, first))
        first++;
    for (unsigned i = first + 1; i < n; i++) {
        if (!is_possible(flow, state, call, i))
            continue;
        struct flow_state *copy = flow_split(states, state);
        if (copy)
            apply_outcome(flow, copy, call, &summary->outcomes[i]);
    }
    if (n)
        apply_outcome(flow, state, call, &summary->outcomes[first]);
}
