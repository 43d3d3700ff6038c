// The fixed point over the blocks of a function. See flow.h.
#include "entry_facts.h"
#include "flow_graph.h"

#include <string.h>

static bool about_result(const struct symbol *symbol)
{
    return symbol && (symbol->kind == SYMBOL_RESULT || about_result(symbol->a));
}

static unsigned guard_of(const struct flow *flow, const struct ir_block *block)
{
    return GPOINTER_TO_UINT(
        g_hash_table_lookup(flow->guards, GUINT_TO_POINTER(flow_question_hash(block))));
}

static bool worth_keeping(unsigned guard, const struct symbol *test)
{
    return about_result(test) || (guard & GUARD_LOCK) ||
           ((guard & GUARD_AGAIN) && !symbol_reads_memory(test));
}

// ---- Edges.

// `flags & F` has no path; where it decides over a lock twice it is taken for the same by its text.
static const struct symbol *operand(struct flow *flow, const struct flow_state *state,
                                    const struct ir_value *value)
{
    if (value->kind == IR_VALUE_UNKNOWN && value->text)
        return symbol_make(flow->analysis->table, SYMBOL_TEXT, NULL, NULL, 0,
                           g_intern_string(value->text));
    return flow_value(flow, state, value, NULL);
}

const struct symbol *flow_test(struct flow *flow, const struct flow_state *state,
                               const struct ir_condition *condition, bool *negated)
{
    struct symbol_table *table = flow->analysis->table;
    const struct symbol *left = operand(flow, state, &condition->left);
    const struct symbol *right = condition->relation == IR_NONZERO
                                     ? symbol_const(table, 0)
                                     : operand(flow, state, &condition->right);
    enum ir_relation relation = condition->relation;
    *negated =
        relation == IR_NONZERO || relation == IR_NE || relation == IR_GT || relation == IR_GE;
    if (relation == IR_NONZERO || relation == IR_NE)
        relation = IR_EQ;
    else if (relation == IR_GT)
        relation = IR_LE;
    else if (relation == IR_GE)
        relation = IR_LT;
    // a == b is b == a: a constant goes to the right.
    if (relation == IR_EQ && left->kind == SYMBOL_CONST) {
        const struct symbol *swap = left;
        left = right;
        right = swap;
    }
    return symbol_make(table, SYMBOL_TEST, left, right, relation, NULL);
}

// `if (is_shared(map)) acquire … if (is_shared(map)) release`: the second call answers as the
// first.
static bool answers_again(struct flow *flow, const struct ir_block *block, struct flow_state *state,
                          const struct symbol *test, bool truth)
{
    const struct ir_instruction *call = flow_asked_call(block);
    if (!call)
        return true;
    g_autofree char *text = flow_call_text(call);
    struct symbol_table *table = flow->analysis->table;
    const struct symbol *first =
        call->n_arguments ? flow_value(flow, state, &call->arguments[0], call) : NULL;
    const struct symbol *asked =
        symbol_make(table, SYMBOL_TEST,
                    symbol_make(table, SYMBOL_TEXT, first, NULL, 0, g_intern_string(text)), test->b,
                    test->number, NULL);
    bool known = false;
    if (flow_known(state, asked, &known) && known != truth)
        return false;
    flow_assume(state, asked, truth, TEST_PINNED | TEST_OF_LOCK);
    return true;
}

// What is true on the way from `block` to its `t`th target. False: nobody goes there.
static bool take_branch(struct flow *flow, const struct ir_block *block, unsigned t,
                        struct flow_state *state)
{
    bool negated = false;
    const struct symbol *test = flow_test(flow, state, &block->condition, &negated);
    bool truth = (t == 0) != negated, known = false;
    if (flow_known(state, test, &known) && known != truth)
        return false;
    // Behind a null pointer everything has been touched: nobody goes there.
    if (test->number == IR_EQ && truth && test->b->kind == SYMBOL_CONST && test->b->number == 0 &&
        test->a->kind != SYMBOL_CONST && block->condition.left.type.is_pointer)
        flow_touch_all(state, symbol_deref(flow->analysis->table, test->a),
                       TOUCH_READ | TOUCH_WRITE);
    flow_given(state, test, truth);
    unsigned guard = guard_of(flow, block);
    if ((guard & GUARD_BOTH) && !answers_again(flow, block, state, test, truth))
        return false;
    if (worth_keeping(guard, test))
        flow_assume(state, test, truth,
                    ((guard & GUARD_BOTH) ? TEST_PINNED : 0) |
                        ((guard & GUARD_LOCK) ? TEST_OF_LOCK : 0));
    return true;
}

// `switch (try(lock))`: what is known of the value leads to one case, or past some.
static bool take_asked_case(struct flow *flow, const struct ir_block *block, unsigned t,
                            const struct symbol *value, struct flow_state *state)
{
    unsigned otherwise = block->targets[block->n_targets - 1], cases = 0;
    const struct symbol *told = NULL;
    bool possible = block->targets[t] == otherwise, truth;
    for (unsigned i = 0; i + 1 < block->n_targets; i++) {
        const struct ir_case *range = &block->cases[i];
        const struct symbol *test =
            symbol_make(flow->analysis->table, SYMBOL_TEST, value,
                        symbol_const(flow->analysis->table, range->low), IR_EQ, NULL);
        bool here = block->targets[i] == block->targets[t];
        bool known = range->low == range->high && flow_known(state, test, &truth);
        if (known && truth)
            return here;
        possible |= here && !known;
        cases += here;
        if (here && range->low == range->high)
            told = test;
        if (block->targets[t] == otherwise && !here && range->low == range->high)
            flow_assume(state, test, false, TEST_OF_LOCK);
    }
    if (told && cases == 1 && block->targets[t] != otherwise)
        flow_assume(state, told, true, TEST_OF_LOCK);
    return possible;
}

// `switch (kind)` of a parameter: what leads to the one case of a target, or past all.
static void give_case(struct flow *flow, const struct ir_block *block, unsigned t,
                      const struct symbol *value, struct flow_state *state)
{
    unsigned otherwise = block->targets[block->n_targets - 1];
    const struct symbol *told = NULL;
    unsigned here = block->targets[t] == otherwise;
    for (unsigned i = 0; i + 1 < block->n_targets; i++) {
        const struct ir_case *range = &block->cases[i];
        const struct symbol *test =
            symbol_make(flow->analysis->table, SYMBOL_TEST, value,
                        symbol_const(flow->analysis->table, range->low), IR_EQ, NULL);
        if (block->targets[i] == block->targets[t])
            here++;
        if (block->targets[i] == block->targets[t] && range->low == range->high)
            told = test;
        else if (block->targets[i] != block->targets[t] && range->low == range->high)
            flow_given(state, test, false);
    }
    if (told && here == 1)
        flow_given(state, told, true);
}

static bool take_case(struct flow *flow, const struct ir_block *block, unsigned t,
                      struct flow_state *state)
{
    const struct symbol *value = flow_value(flow, state, &block->value, NULL);
    if (about_result(value))
        return take_asked_case(flow, block, t, value, state);
    if (flow_is_parameter(value))
        give_case(flow, block, t, value, state);
    if (value->kind != SYMBOL_CONST)
        return true;
    for (unsigned i = 0; i + 1 < block->n_targets; i++) {
        if (value->number >= block->cases[i].low && value->number <= block->cases[i].high)
            return block->targets[i] == block->targets[t];
    }
    return block->targets[t] == block->targets[block->n_targets - 1];
}

static bool take_edge(struct flow *flow, const struct ir_block *block, unsigned t,
                      struct flow_state *state)
{
    if (block->kind == IR_BRANCH && block->n_targets == 2)
        return take_branch(flow, block, t, state);
    if (block->kind == IR_SWITCH)
        return take_case(flow, block, t, state);
    return true;
}

// ---- Iteration.

static struct flow_state *entry_state(const struct flow *flow)
{
    struct flow_state *state = g_new0(struct flow_state, 1);
    const struct entry_facts *facts = entry_facts_known(flow->analysis, flow->function);
    if (facts)
        flow_map_copy(&state->touched, &facts->touched);
    for (guint i = 0; i < flow->entry_sites->len; i++) {
        const struct flow_site *site = flow->entry_sites->pdata[i];
        flow_push_lock(state, site->place, site);
    }
    return state;
}

static void leave_loops(const struct flow *flow, const struct ir_block *from, unsigned to,
                        struct flow_state *state)
{
    for (guint i = 0; i < flow->loops->len; i++) {
        const struct flow_loop *loop = flow->loops->pdata[i];
        if (loop->body[from->number] && !loop->body[to])
            flow_end_sweeps(state, loop->head->number);
    }
}

static void free_source(struct flow_source *source)
{
    flow_state_clear(source->state);
    g_free(source->state);
}

static void free_state(gpointer data)
{
    flow_state_clear(data);
    g_free(data);
}

static bool same_entry(const GPtrArray *saved, const GArray *sources)
{
    guint n = 0;
    for (guint i = 0; i < sources->len; i++) {
        const struct flow_source *source = &g_array_index(sources, struct flow_source, i);
        if (source->back_edge)
            continue;
        if (!saved || n == saved->len || !flow_state_equal(saved->pdata[n], source->state))
            return false;
        n++;
    }
    return saved && n == saved->len;
}

static bool is_loop_head(const struct flow *flow, unsigned number)
{
    for (guint i = 0; i < flow->loops->len; i++) {
        const struct flow_loop *loop = flow->loops->pdata[i];
        if (loop->head->number == number)
            return true;
    }
    return false;
}

// When what enters a loop has changed, what went round in it is of the past: begin anew. Without
// this, states that only feed on themselves would stay for ever.
static void restart_loop(struct flow *flow, unsigned number, GArray *sources)
{
    if (flow->listener || !is_loop_head(flow, number) || same_entry(flow->entries[number], sources))
        return;
    g_clear_pointer(&flow->entries[number], g_ptr_array_unref);
    flow->entries[number] = g_ptr_array_new_with_free_func(free_state);
    guint kept = 0;
    for (guint i = 0; i < sources->len; i++) {
        struct flow_source *source = &g_array_index(sources, struct flow_source, i);
        if (source->back_edge) {
            free_source(source);
            flow->restarted = true;
            continue;
        }
        struct flow_state *copy = g_new(struct flow_state, 1);
        flow_state_copy(copy, source->state);
        g_ptr_array_add(flow->entries[number], copy);
        g_array_index(sources, struct flow_source, kept++) = *source;
    }
    g_array_set_size(sources, kept);
}

static void enter_block(struct flow *flow, unsigned number, unsigned *const *predecessors,
                        const unsigned *n_predecessors, struct flow_states *in)
{
    g_autoptr(GArray) sources = g_array_new(FALSE, FALSE, sizeof(struct flow_source));
    if (number == 0) {
        struct flow_source source = {entry_state(flow), false};
        g_array_append_val(sources, source);
    }
    for (unsigned p = 0; p < n_predecessors[number]; p++) {
        const struct ir_block *from = flow->function->blocks[predecessors[number][p]];
        for (unsigned t = 0; t < from->n_targets; t++) {
            if (from->targets[t] != number)
                continue;
            for (unsigned s = 0; s < flow->out[from->number].n; s++) {
                struct flow_state *state = g_new(struct flow_state, 1);
                flow_state_copy(state, flow->out[from->number].states[s]);
                struct flow_source source = {state, flow->rank[from->number] >= flow->rank[number]};
                leave_loops(flow, from, number, state);
                if (take_edge(flow, from, t, state)) {
                    g_array_append_val(sources, source);
                } else {
                    free_source(&source);
                }
            }
        }
    }
    restart_loop(flow, number, sources);
    if (!flow->sticky[number])
        flow->sticky[number] = g_hash_table_new(NULL, NULL);
    struct flow_join join = {.table = flow->analysis->table,
                             .block = flow->function->blocks[number],
                             .sticky = flow->sticky[number],
                             .settle = flow->rounds[number] > FLOW_SETTLE,
                             .tired = flow->rounds[number] > FLOW_TIRED,
                             .origins = flow->origins};
    if (sources->len)
        flow_join(&join, &g_array_index(sources, struct flow_source, 0), sources->len, in);
}

static void step_block(struct flow *flow, const struct ir_block *block, struct flow_states *states)
{
    flow->block = block;
    for (unsigned k = 0; k < block->n_instructions && states->n; k++)
        flow_step(flow, block->instructions[k], states);
    if (block->kind == IR_UNREACHABLE)
        flow_states_clear(states);
    if (block->kind != IR_RETURN || !flow->listener || !flow->listener->leave)
        return;
    for (unsigned s = 0; s < states->n; s++) {
        const struct symbol *value =
            block->has_value ? flow_value(flow, states->states[s], &block->value, NULL) : NULL;
        flow->listener->leave(flow->listener->context, flow, states->states[s], block, value);
    }
}

// The blocks that have to be stepped through again, by rank.
struct work {
    guint8 *dirty;
    unsigned *sizes; // blocks in each loop
};

static unsigned first_dirty_in(const struct flow *flow, const struct work *work,
                               const struct flow_loop *loop)
{
    for (unsigned i = flow->rank[loop->head->number]; i < flow->n_order; i++) {
        if (work->dirty[i] && loop->body[flow->order[i]])
            return i;
    }
    return flow->n_order;
}

// The next block, after the one at `last`: a loop comes to rest before what follows it is looked
// at, and an inner one before the outer. Else an inner loop that begins anew would look to the
// outer one as if nobody came out of it. Returns n_order when there is nothing left.
static unsigned next_block(const struct flow *flow, const struct work *work, unsigned last)
{
    unsigned least = UINT_MAX, found = flow->n_order;
    for (guint i = 0; i < flow->loops->len; i++) {
        const struct flow_loop *loop = flow->loops->pdata[i];
        if (!loop->body[flow->order[last]] || work->sizes[i] >= least)
            continue;
        unsigned dirty = first_dirty_in(flow, work, loop);
        if (dirty == flow->n_order)
            continue;
        least = work->sizes[i];
        found = dirty;
    }
    if (found < flow->n_order)
        return found;
    const guint8 *first = memchr(work->dirty, 1, flow->n_order);
    return first ? (unsigned)(first - work->dirty) : flow->n_order;
}

// Steps through the block at rank `i`; what changed makes its successors dirty.
static void iterate_block(struct flow *flow, const struct flow_edges *edges, struct work *work,
                          unsigned i)
{
    const struct ir_block *block = flow->function->blocks[flow->order[i]];
    struct flow_states states = {.n = 0};
    flow->restarted = false;
    enter_block(flow, block->number, edges->predecessors, edges->n_predecessors, &states);
    work->dirty[i] = flow->restarted;
    step_block(flow, block, &states);
    bool same = flow_states_equal(&states, &flow->out[block->number]);
    flow_states_clear(&flow->out[block->number]);
    flow->out[block->number] = states;
    if (same)
        return;
    if (++flow->rounds[block->number] > FLOW_ROUNDS) {
        flow->gave_up = true;
        return;
    }
    for (unsigned t = 0; t < block->n_targets; t++)
        work->dirty[flow->rank[block->targets[t]]] = 1;
}

static void iterate(struct flow *flow, const struct flow_edges *edges)
{
    g_autofree guint8 *dirty = g_new(guint8, MAX(flow->n_order, 1));
    g_autofree unsigned *sizes = g_new0(unsigned, MAX(flow->loops->len, 1));
    struct work work = {dirty, sizes};
    memset(dirty, 1, MAX(flow->n_order, 1));
    for (guint i = 0; i < flow->loops->len; i++) {
        const struct flow_loop *loop = flow->loops->pdata[i];
        for (unsigned b = 0; b < flow->function->n_blocks; b++)
            sizes[i] += loop->body[b];
    }
    for (unsigned i = 0; i < flow->n_order; i = next_block(flow, &work, i))
        iterate_block(flow, edges, &work, i);
}

static struct flow *flow_prepare(struct analysis *analysis, const struct ir_function *function)
{
    struct flow *flow = g_new0(struct flow, 1);
    flow->analysis = analysis;
    flow->function = function;
    flow->loops = g_ptr_array_new_with_free_func(flow_loop_free);
    flow->homes = g_hash_table_new(NULL, NULL);
    flow->sites = g_hash_table_new(NULL, NULL);
    flow->site_list = g_ptr_array_new_with_free_func(g_free);
    flow->entry_sites = g_ptr_array_new();
    flow->guards = g_hash_table_new(NULL, NULL);
    flow->origins = g_hash_table_new(NULL, NULL);
    flow->rounds = g_new0(unsigned, MAX(function->n_blocks, 1));
    flow->entries = g_new0(GPtrArray *, MAX(function->n_blocks, 1));
    flow->sticky = g_new0(GHashTable *, MAX(function->n_blocks, 1));
    flow->out = g_new0(struct flow_states, MAX(function->n_blocks, 1));
    return flow;
}

struct flow *flow_new(struct analysis *analysis, const struct ir_function *function,
                      const GArray *entry_locks)
{
    struct flow *flow = flow_prepare(analysis, function);
    flow_number_blocks(flow);
    struct flow_edges edges;
    flow_edges_init(&edges, flow);
    flow_find_loops(flow, edges.predecessors, edges.n_predecessors);
    flow_find_guards(flow, &edges);
    flow_find_homes(flow);
    for (guint i = 0; entry_locks && i < entry_locks->len; i++) {
        const struct flow_entry_lock *lock = &g_array_index(entry_locks, struct flow_entry_lock, i);
        g_ptr_array_add(flow->entry_sites,
                        flow_site_for(flow, NULL, SITE_ENTRY, lock->place, lock->op));
    }
    iterate(flow, &edges);
    flow_edges_clear(&edges);
    return flow;
}

struct ir_location flow_site_location(const struct flow_site *site)
{
    if (site->inner.line || !site->instruction)
        return site->inner;
    return site->instruction->location;
}

void flow_replay(struct flow *flow, const struct flow_listener *listener)
{
    struct flow_edges edges;
    flow_edges_init(&edges, flow);
    flow->listener = listener;
    for (unsigned i = 0; i < flow->n_order; i++) {
        struct flow_states states = {.n = 0};
        enter_block(flow, flow->order[i], edges.predecessors, edges.n_predecessors, &states);
        step_block(flow, flow->function->blocks[flow->order[i]], &states);
        flow_states_clear(&states);
    }
    flow->listener = NULL;
    flow_edges_clear(&edges);
}

void flow_free(struct flow *flow)
{
    if (!flow)
        return;
    for (unsigned b = 0; b < flow->function->n_blocks; b++) {
        flow_states_clear(&flow->out[b]);
        g_clear_pointer(&flow->sticky[b], g_hash_table_unref);
        g_clear_pointer(&flow->entries[b], g_ptr_array_unref);
    }
    g_free(flow->entries);
    g_free(flow->out);
    g_free(flow->rounds);
    g_free(flow->sticky);
    g_free(flow->order);
    g_free(flow->rank);
    g_ptr_array_unref(flow->loops);
    g_hash_table_unref(flow->homes);
    g_hash_table_unref(flow->sites);
    g_ptr_array_unref(flow->entry_sites);
    g_ptr_array_unref(flow->site_list);
    g_hash_table_unref(flow->guards);
    g_hash_table_unref(flow->origins);
    g_free(flow);
}
