// The fixed point over the blocks of a function. See flow.h.
#include "flow.h"

#include <string.h>

// ---- The analysis of a unit.

static void index_functions(struct analysis *analysis)
{
    const GPtrArray *functions = analysis->unit->functions;
    for (guint i = 0; i < functions->len; i++) {
        struct ir_function *function = functions->pdata[i];
        if (function->usr)
            g_hash_table_insert(analysis->functions, (gpointer)function->usr, function);
        if (function->name && !g_hash_table_contains(analysis->functions, function->name))
            g_hash_table_insert(analysis->functions, (gpointer)function->name, function);
    }
}

// A global pointer that is set to an element or to whatever a caller gave is one of many objects,
// like PostgreSQL's MyProc; one that is set to what a function returned is taken for the only one.
static void find_moving(struct analysis *analysis, const struct ir_instruction *in)
{
    if (in->op != IR_ASSIGN || in->path.base != IR_BASE_GLOBAL || in->path.n_steps != 0 ||
        !in->path.variable || !in->path.variable->type.is_pointer)
        return;
    if (in->value.kind == IR_VALUE_CONST || in->value.kind == IR_VALUE_CALL)
        return;
    if (in->value.kind == IR_VALUE_LOAD && in->value.path.base == IR_BASE_LOCAL)
        return; // most often the result of a call, kept for a moment
    const struct ir_variable *variable = in->path.variable;
    g_hash_table_add(analysis->moving, (gpointer)(variable->usr ? variable->usr : variable->name));
}

struct analysis *analysis_new(const struct ir_unit *unit, const struct model_set *models)
{
    struct analysis *analysis = g_new0(struct analysis, 1);
    analysis->unit = unit;
    analysis->models = models;
    analysis->table = symbol_table_new();
    analysis->functions = g_hash_table_new(g_str_hash, g_str_equal);
    analysis->summaries =
        g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)(void *)summary_free);
    analysis->locking = g_hash_table_new(NULL, NULL);
    analysis->moving = g_hash_table_new(g_str_hash, g_str_equal);
    index_functions(analysis);
    for (guint i = 0; i < unit->functions->len; i++) {
        const struct ir_function *function = unit->functions->pdata[i];
        for (unsigned b = 0; b < function->n_blocks; b++) {
            for (unsigned k = 0; k < function->blocks[b]->n_instructions; k++)
                find_moving(analysis, function->blocks[b]->instructions[k]);
        }
    }
    return analysis;
}

void analysis_free(struct analysis *analysis)
{
    if (!analysis)
        return;
    g_hash_table_unref(analysis->summaries);
    g_hash_table_unref(analysis->functions);
    g_hash_table_unref(analysis->locking);
    g_hash_table_unref(analysis->moving);
    symbol_table_free(analysis->table);
    g_free(analysis);
}

const struct ir_function *analysis_find(const struct analysis *analysis,
                                        const struct ir_instruction *call)
{
    if (call->indirect)
        return NULL;
    const struct ir_function *found = NULL;
    if (call->callee_usr)
        found = g_hash_table_lookup(analysis->functions, call->callee_usr);
    if (!found && call->callee)
        found = g_hash_table_lookup(analysis->functions, call->callee);
    return found;
}

enum reach { REACH_UNKNOWN, REACH_RUNNING, REACH_NO, REACH_YES };

static bool is_lock_operation(const struct ir_instruction *in)
{
    return in->op == IR_LOCK_OP || in->op == IR_DEBUG;
}

bool analysis_reaches_lock(struct analysis *analysis, const struct ir_function *function)
{
    enum reach known = GPOINTER_TO_UINT(g_hash_table_lookup(analysis->locking, function));
    if (known)
        return known == REACH_YES;
    if (analysis->depth > FLOW_CALL_DEPTH)
        return false;
    g_hash_table_insert(analysis->locking, (gpointer)function, GUINT_TO_POINTER(REACH_RUNNING));
    bool yes = false;
    analysis->depth++;
    for (unsigned b = 0; b < function->n_blocks && !yes; b++) {
        const struct ir_block *block = function->blocks[b];
        for (unsigned k = 0; k < block->n_instructions && !yes; k++) {
            const struct ir_instruction *in = block->instructions[k];
            const struct ir_function *callee =
                in->op == IR_CALL ? analysis_find(analysis, in) : NULL;
            yes = is_lock_operation(in) || (callee && analysis_reaches_lock(analysis, callee));
        }
    }
    analysis->depth--;
    g_hash_table_insert(analysis->locking, (gpointer)function,
                        GUINT_TO_POINTER(yes ? REACH_YES : REACH_NO));
    return yes;
}

// ---- Order and loops.

static void number_blocks(struct flow *flow)
{
    const struct ir_function *function = flow->function;
    unsigned n = function->n_blocks;
    flow->order = g_new0(unsigned, MAX(n, 1));
    flow->rank = g_new(unsigned, MAX(n, 1));
    memset(flow->rank, 0xff, MAX(n, 1) * sizeof *flow->rank);
    // Depth first without recursion: `next` is the target to look at.
    g_autofree unsigned *stack = g_new(unsigned, n + 1), *next = g_new0(unsigned, n + 1);
    g_autofree guint8 *seen = g_new0(guint8, n + 1);
    unsigned depth = 0, left = n;
    if (n) {
        stack[depth++] = 0;
        seen[0] = 1;
    }
    while (depth) {
        const struct ir_block *block = function->blocks[stack[depth - 1]];
        if (next[block->number] < block->n_targets) {
            unsigned target = block->targets[next[block->number]++];
            if (target < n && !seen[target]) {
                seen[target] = 1;
                stack[depth++] = target;
            }
        } else {
            flow->order[--left] = block->number;
            depth--;
        }
    }
    flow->n_order = n - left;
    memmove(flow->order, flow->order + left, flow->n_order * sizeof *flow->order);
    for (unsigned i = 0; i < flow->n_order; i++)
        flow->rank[flow->order[i]] = i;
}

static struct flow_loop *loop_of(struct flow *flow, const struct ir_block *head)
{
    for (guint i = 0; i < flow->loops->len; i++) {
        struct flow_loop *loop = flow->loops->pdata[i];
        if (loop->head == head)
            return loop;
    }
    struct flow_loop *loop = g_new0(struct flow_loop, 1);
    loop->head = head;
    loop->body = g_new0(guint8, flow->function->n_blocks);
    loop->body[head->number] = 1;
    g_ptr_array_add(flow->loops, loop);
    return loop;
}

// Everything from which `from` is reached without passing the head.
static void grow_loop(struct flow *flow, struct flow_loop *loop, unsigned from,
                      unsigned *const *predecessors, const unsigned *n_predecessors)
{
    g_autoptr(GArray) work = g_array_new(FALSE, FALSE, sizeof(unsigned));
    g_array_append_val(work, from);
    while (work->len) {
        unsigned block = g_array_index(work, unsigned, work->len - 1);
        g_array_set_size(work, work->len - 1);
        if (loop->body[block] || flow->rank[block] == G_MAXUINT)
            continue;
        loop->body[block] = 1;
        g_array_append_vals(work, predecessors[block], n_predecessors[block]);
    }
}

static void find_loops(struct flow *flow, unsigned *const *predecessors,
                       const unsigned *n_predecessors)
{
    const struct ir_function *function = flow->function;
    for (unsigned i = 0; i < flow->n_order; i++) {
        const struct ir_block *block = function->blocks[flow->order[i]];
        for (unsigned t = 0; t < block->n_targets; t++) {
            unsigned target = block->targets[t];
            if (flow->rank[target] <= i)
                grow_loop(flow, loop_of(flow, function->blocks[target]), block->number,
                          predecessors, n_predecessors);
        }
    }
}

static void loop_free(gpointer data)
{
    struct flow_loop *loop = data;
    g_free(loop->body);
    g_free(loop);
}

bool flow_loop_holds(const struct flow_loop *loop, const struct ir_block *block)
{
    return loop->body[block->number] != 0;
}

const struct ir_block *flow_block_of(const struct flow *flow,
                                     const struct ir_instruction *instruction)
{
    return g_hash_table_lookup(flow->homes, instruction);
}

bool flow_varies(const struct flow *flow, const struct flow_loop *loop, const struct symbol *symbol)
{
    if (!symbol)
        return false;
    const struct ir_block *home = NULL;
    if (symbol->kind == SYMBOL_PHI)
        home = symbol->what;
    else if (symbol->kind == SYMBOL_RESULT || symbol->kind == SYMBOL_OPAQUE ||
             symbol->kind == SYMBOL_INSTANCE)
        home = flow_block_of(flow, symbol->what);
    if (home && flow_loop_holds(loop, home))
        return true;
    // What a callee's symbol is made of is the callee's business.
    return symbol->kind != SYMBOL_INSTANCE && symbol->kind != SYMBOL_PHI &&
           (flow_varies(flow, loop, symbol->a) || flow_varies(flow, loop, symbol->b));
}

static void find_homes(struct flow *flow)
{
    for (unsigned i = 0; i < flow->n_order; i++) {
        struct ir_block *block = flow->function->blocks[flow->order[i]];
        for (unsigned k = 0; k < block->n_instructions; k++)
            g_hash_table_insert(flow->homes, block->instructions[k], block);
    }
}

// ---- Questions that are asked twice.

static guint condition_hash(const struct ir_condition *condition)
{
    g_autofree char *left = ir_value_text(&condition->left);
    g_autofree char *right =
        condition->relation == IR_NONZERO ? NULL : ir_value_text(&condition->right);
    guint hash = g_str_hash(left);
    // `x`, `x != 0` and `x == NULL` are one question.
    if (right && strcmp(right, "0") != 0)
        hash = hash * 31 + g_str_hash(right);
    return hash | 1;
}

// Which lock operations a block does: bits of 1 << enum ir_lock_action.
static unsigned lock_operations(const struct ir_block *block)
{
    unsigned found = 0;
    for (unsigned k = 0; k < block->n_instructions; k++) {
        if (block->instructions[k]->op == IR_LOCK_OP)
            found |= 1u << block->instructions[k]->action;
    }
    return found;
}

static bool is_negative(enum ir_relation relation)
{
    return relation == IR_NONZERO || relation == IR_NE || relation == IR_GT || relation == IR_GE;
}

#define GUARD_AGAIN 1u // asked twice
#define GUARD_LOCK  2u // and at once decides over a lock operation
#define GUARD_BOTH  4u // one answer leads to an acquire and, asked again, to a release

// What is known of a question: `times` asked, operations by its answer.
struct question {
    unsigned times, operations[2];
};

static void ask(struct flow *flow, const struct ir_block *block, GHashTable *questions)
{
    gpointer key = GUINT_TO_POINTER(condition_hash(&block->condition));
    struct question *question = g_hash_table_lookup(questions, key);
    if (!question) {
        question = g_new0(struct question, 1);
        g_hash_table_insert(questions, key, question);
    }
    question->times++;
    for (unsigned t = 0; t < block->n_targets && t < 2; t++) {
        bool truth = (t == 0) != is_negative(block->condition.relation);
        question->operations[truth] |= lock_operations(flow->function->blocks[block->targets[t]]);
    }
}

// Only answers that are worth keeping states apart for: about a call's result, or asked again and
// deciding over a lock operation at once.
static void find_guards(struct flow *flow)
{
    g_autoptr(GHashTable) questions = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (unsigned i = 0; i < flow->n_order; i++) {
        const struct ir_block *block = flow->function->blocks[flow->order[i]];
        if (block->kind == IR_BRANCH)
            ask(flow, block, questions);
    }
    GHashTableIter iter;
    gpointer key, value;
    g_hash_table_iter_init(&iter, questions);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        const struct question *question = value;
        if (question->times < 2)
            continue;
        unsigned guard = GUARD_AGAIN;
        unsigned both = 1u << IR_LOCK_ACQUIRE | 1u << IR_LOCK_RELEASE;
        for (int truth = 0; truth < 2; truth++) {
            if (question->operations[truth])
                guard |= GUARD_LOCK;
            if ((question->operations[truth] & both) == both)
                guard |= GUARD_BOTH;
        }
        g_hash_table_insert(flow->guards, key, GUINT_TO_POINTER(guard));
    }
}

static bool about_result(const struct symbol *symbol)
{
    return symbol && (symbol->kind == SYMBOL_RESULT || about_result(symbol->a));
}

static unsigned guard_of(const struct flow *flow, const struct ir_block *block)
{
    return GPOINTER_TO_UINT(
        g_hash_table_lookup(flow->guards, GUINT_TO_POINTER(condition_hash(&block->condition))));
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
    unsigned guard = guard_of(flow, block);
    if (worth_keeping(guard, test))
        flow_assume(state, test, truth, (guard & GUARD_BOTH) != 0);
    return true;
}

static bool take_case(struct flow *flow, const struct ir_block *block, unsigned t,
                      const struct flow_state *state)
{
    const struct symbol *value = flow_value(flow, state, &block->value, NULL);
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

void flow_states_add(struct flow_states *states, struct flow_state *state)
{
    if (states->n < FLOW_STATES) {
        states->states[states->n++] = state;
        return;
    }
    flow_state_clear(state);
    g_free(state);
}

static struct flow_state *entry_state(const struct flow *flow)
{
    struct flow_state *state = g_new0(struct flow_state, 1);
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
                             .origins = flow->origins};
    if (sources->len)
        flow_join(&join, (struct flow_source *)(void *)sources->data, sources->len, in);
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

struct edges {
    unsigned **predecessors, *n_predecessors, *memory;
};

static void edges_init(struct edges *edges, const struct flow *flow)
{
    const struct ir_function *function = flow->function;
    unsigned n = MAX(function->n_blocks, 1), total = 0;
    edges->n_predecessors = g_new0(unsigned, n);
    edges->predecessors = g_new0(unsigned *, n);
    for (int pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < flow->n_order; i++) {
            const struct ir_block *block = function->blocks[flow->order[i]];
            for (unsigned t = 0; t < block->n_targets; t++) {
                unsigned target = block->targets[t];
                bool again = false; // the same target twice is one predecessor
                for (unsigned k = 0; k < t; k++)
                    again = again || block->targets[k] == target;
                if (again)
                    continue;
                if (pass == 0)
                    total++;
                else
                    edges->predecessors[target][edges->n_predecessors[target]] = block->number;
                edges->n_predecessors[target]++;
            }
        }
        if (pass == 1)
            break;
        edges->memory = g_new0(unsigned, MAX(total, 1));
        unsigned at = 0;
        for (unsigned b = 0; b < function->n_blocks; b++) {
            edges->predecessors[b] = edges->memory + at;
            at += edges->n_predecessors[b];
            edges->n_predecessors[b] = 0;
        }
    }
}

static void edges_clear(struct edges *edges)
{
    g_free(edges->n_predecessors);
    g_free(edges->predecessors);
    g_free(edges->memory);
}

static void iterate(struct flow *flow, const struct edges *edges)
{
    const struct ir_function *function = flow->function;
    g_autofree guint8 *dirty = g_new(guint8, MAX(function->n_blocks, 1));
    memset(dirty, 1, MAX(function->n_blocks, 1));
    for (bool again = true; again;) {
        again = false;
        for (unsigned i = 0; i < flow->n_order; i++) {
            const struct ir_block *block = function->blocks[flow->order[i]];
            if (!dirty[block->number])
                continue;
            dirty[block->number] = 0;
            struct flow_states states = {.n = 0};
            flow->restarted = false;
            enter_block(flow, block->number, edges->predecessors, edges->n_predecessors, &states);
            dirty[block->number] = flow->restarted;
            again = again || flow->restarted;
            step_block(flow, block, &states);
            bool same = flow_states_equal(&states, &flow->out[block->number]);
            flow_states_clear(&flow->out[block->number]);
            flow->out[block->number] = states;
            if (same)
                continue;
            if (++flow->rounds[block->number] > FLOW_ROUNDS) {
                flow->gave_up = true;
                continue;
            }
            for (unsigned t = 0; t < block->n_targets; t++) {
                dirty[block->targets[t]] = 1;
                again = again || flow->rank[block->targets[t]] <= i;
            }
        }
    }
}

static struct flow *flow_prepare(struct analysis *analysis, const struct ir_function *function)
{
    struct flow *flow = g_new0(struct flow, 1);
    flow->analysis = analysis;
    flow->function = function;
    flow->loops = g_ptr_array_new_with_free_func(loop_free);
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
                      const GPtrArray *entry_locks)
{
    struct flow *flow = flow_prepare(analysis, function);
    number_blocks(flow);
    struct edges edges;
    edges_init(&edges, flow);
    find_loops(flow, edges.predecessors, edges.n_predecessors);
    find_guards(flow);
    find_homes(flow);
    for (guint i = 0; entry_locks && i < entry_locks->len; i++)
        g_ptr_array_add(flow->entry_sites,
                        flow_site_for(flow, NULL, SITE_ENTRY, entry_locks->pdata[i], NULL));
    iterate(flow, &edges);
    edges_clear(&edges);
    return flow;
}

void flow_replay(struct flow *flow, const struct flow_listener *listener)
{
    struct edges edges;
    edges_init(&edges, flow);
    flow->listener = listener;
    for (unsigned i = 0; i < flow->n_order; i++) {
        struct flow_states states = {.n = 0};
        enter_block(flow, flow->order[i], edges.predecessors, edges.n_predecessors, &states);
        step_block(flow, flow->function->blocks[flow->order[i]], &states);
        flow_states_clear(&states);
    }
    flow->listener = NULL;
    edges_clear(&edges);
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
