// The shape of a function: the order in which its blocks are stepped through, its loops, and the
// questions that its branches ask more than once.
#include "flow_graph.h"

#include <string.h>

// ---- Order and loops.

void flow_number_blocks(struct flow *flow)
{
    const struct ir_function *function = flow->function;
    unsigned n = function->n_blocks;
    flow->order = g_new0(unsigned, MAX(n, 1));
    flow->rank = g_new(unsigned, MAX(n, 1));
    memset(flow->rank, 0xff, MAX(n, 1) * sizeof *flow->rank);
    // Depth first without recursion: `next` is the target to look at.
    unsigned *stack = g_new(unsigned, n + 1), *next = g_new0(unsigned, n + 1);
    guint8 *seen = g_new0(guint8, n + 1);
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
    g_free(stack);
    g_free(next);
    g_free(seen);
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

// What comes after the head on some way.
static guint8 *reached_from(const struct flow *flow, const struct ir_block *head)
{
    guint8 *reached = g_new0(guint8, flow->function->n_blocks);
    g_autoptr(GArray) work = g_array_new(FALSE, FALSE, sizeof(unsigned));
    g_array_append_val(work, head->number);
    while (work->len) {
        unsigned number = g_array_index(work, unsigned, work->len - 1);
        g_array_set_size(work, work->len - 1);
        if (reached[number])
            continue;
        reached[number] = 1;
        const struct ir_block *block = flow->function->blocks[number];
        g_array_append_vals(work, block->targets, block->n_targets);
    }
    return reached;
}

// Everything from which `from` is reached without passing the head. A loop with a second entry, as
// a switch into it makes one, ends where the head is not reached from.
static void grow_loop(struct flow *flow, struct flow_loop *loop, unsigned from,
                      unsigned *const *predecessors, const unsigned *n_predecessors)
{
    g_autofree guint8 *reached = reached_from(flow, loop->head);
    g_autoptr(GArray) work = g_array_new(FALSE, FALSE, sizeof(unsigned));
    g_array_append_val(work, from);
    while (work->len) {
        unsigned block = g_array_index(work, unsigned, work->len - 1);
        g_array_set_size(work, work->len - 1);
        if (loop->body[block] || flow->rank[block] == G_MAXUINT || !reached[block] ||
            flow->rank[block] < flow->rank[loop->head->number])
            continue;
        loop->body[block] = 1;
        g_array_append_vals(work, predecessors[block], n_predecessors[block]);
    }
}

void flow_find_loops(struct flow *flow, unsigned *const *predecessors,
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

void flow_loop_free(gpointer data)
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

void flow_find_homes(struct flow *flow)
{
    for (unsigned i = 0; i < flow->n_order; i++) {
        struct ir_block *block = flow->function->blocks[flow->order[i]];
        for (unsigned k = 0; k < block->n_instructions; k++)
            g_hash_table_insert(flow->homes, block->instructions[k], block);
    }
}

// ---- Questions that are asked twice.

// The same value whenever it is spelled so, unless a store came between.
static bool is_spelled_out(const struct ir_value *value)
{
    bool path = value->kind == IR_VALUE_LOAD || value->kind == IR_VALUE_ADDRESS;
    return value->kind == IR_VALUE_CONST || value->kind == IR_VALUE_FUNCTION ||
           (path && (value->path.base == IR_BASE_LOCAL || value->path.base == IR_BASE_PARAM ||
                     value->path.base == IR_BASE_GLOBAL));
}

const struct ir_instruction *flow_asked_call(const struct ir_block *block)
{
    const struct ir_value *left = &block->condition.left;
    if (left->kind != IR_VALUE_CALL)
        return NULL;
    for (unsigned k = block->n_instructions; k-- > 0;) {
        const struct ir_instruction *in = block->instructions[k];
        if (in->number != left->index)
            continue;
        bool same = in->op == IR_CALL && in->callee_usr;
        for (unsigned i = 0; same && i < in->n_arguments; i++)
            same = is_spelled_out(&in->arguments[i]);
        return same ? in : NULL;
    }
    return NULL;
}

char *flow_call_text(const struct ir_instruction *call)
{
    g_autoptr(GString) text = g_string_new(call->callee);
    for (unsigned i = 0; i < call->n_arguments; i++) {
        g_autofree char *argument = ir_value_text(&call->arguments[i]);
        g_string_append_printf(text, "%c%s", i ? ',' : '(', argument);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

guint flow_question_hash(const struct ir_block *block)
{
    const struct ir_condition *condition = &block->condition;
    const struct ir_instruction *call = flow_asked_call(block);
    g_autofree char *left = call ? flow_call_text(call) : ir_value_text(&condition->left);
    g_autofree char *right =
        condition->relation == IR_NONZERO ? NULL : ir_value_text(&condition->right);
    guint hash = g_str_hash(left);
    // `x`, `x != 0` and `x == NULL` are one question.
    if (right && strcmp(right, "0") != 0)
        hash = hash * 31 + g_str_hash(right);
    return hash ? hash : 1;
}

// Which lock operations a block does itself: bits of 1 << enum ir_lock_action.
static unsigned own_lock_operations(const struct ir_block *block)
{
    unsigned found = 0;
    for (unsigned k = 0; k < block->n_instructions; k++) {
        if (block->instructions[k]->op == IR_LOCK_OP)
            found |= 1u << block->instructions[k]->action;
    }
    return found;
}

// Of a callee that does little else: `map_lock(map) { spin_lock(&map->lock); }`.
static unsigned operations_of_wrapper(const struct flow *flow, const struct ir_instruction *call)
{
    enum { SMALL = 6 }; // blocks
    const struct ir_function *callee = analysis_find(flow->analysis, call);
    if (!callee || callee == flow->function || callee->n_blocks > SMALL)
        return 0;
    unsigned found = 0;
    for (unsigned b = 0; b < callee->n_blocks; b++)
        found |= own_lock_operations(callee->blocks[b]);
    return (found & (found - 1)) ? 0 : found; // takes and lets go: nothing stays
}

static unsigned lock_operations(const struct flow *flow, const struct ir_block *block)
{
    unsigned found = own_lock_operations(block);
    for (unsigned k = 0; !found && k < block->n_instructions; k++) {
        if (block->instructions[k]->op == IR_CALL)
            found |= operations_of_wrapper(flow, block->instructions[k]);
    }
    return found;
}

bool flow_is_negative(enum ir_relation relation)
{
    return relation == IR_NONZERO || relation == IR_NE || relation == IR_GT || relation == IR_GE;
}

// What is known of a question: `times` asked, operations by its answer, in how many places.
struct question {
    unsigned times, operations[2], places[2];
    const struct ir_condition *of_local; // a plain variable of the function is asked
};

static bool asks_local(const struct ir_condition *condition)
{
    return condition->left.kind == IR_VALUE_LOAD && condition->left.path.base == IR_BASE_LOCAL &&
           condition->left.path.n_steps == 0 &&
           (condition->relation == IR_NONZERO || condition->right.kind == IR_VALUE_CONST);
}

// `if (!locked) acquire … if (locked) release`.
static void note_account(struct flow *flow, const struct question *question)
{
    unsigned acquires = 1u << IR_LOCK_ACQUIRE | 1u << IR_LOCK_TRY, release = 1u << IR_LOCK_RELEASE;
    for (int truth = 0; truth < 2; truth++) {
        if (!question->of_local || !(question->operations[truth] & acquires) ||
            !(question->operations[!truth] & release))
            continue;
        flow->account = question->of_local;
        flow->account_held = !truth;
    }
}

// Is the block entered only by answers, and by none that something else was done for before?
static bool is_answer(const struct flow *flow, const struct flow_edges *edges, unsigned number)
{
    for (unsigned i = 0; i < edges->n_predecessors[number]; i++) {
        if (flow->function->blocks[edges->predecessors[number][i]]->kind != IR_BRANCH)
            return false;
    }
    return edges->n_predecessors[number] > 0;
}

// What an answer leads to at once, also past one more question: `if (wanted && lock) …`.
static unsigned operations_behind(const struct flow *flow, const struct flow_edges *edges,
                                  unsigned number, bool nested)
{
    if (!is_answer(flow, edges, number))
        return 0;
    const struct ir_block *block = flow->function->blocks[number];
    unsigned found = lock_operations(flow, block);
    for (unsigned t = 0; !found && nested && block->kind == IR_BRANCH && t < block->n_targets; t++)
        found |= operations_behind(flow, edges, block->targets[t], false);
    return found;
}

static void ask(struct flow *flow, const struct flow_edges *edges, const struct ir_block *block,
                GHashTable *questions)
{
    gpointer key = GUINT_TO_POINTER(flow_question_hash(block));
    struct question *question = g_hash_table_lookup(questions, key);
    if (!question) {
        question = g_new0(struct question, 1);
        g_hash_table_insert(questions, key, question);
    }
    question->times++;
    question->of_local = asks_local(&block->condition) ? &block->condition : NULL;
    for (unsigned t = 0; t < block->n_targets && t < 2; t++) {
        bool truth = (t == 0) != flow_is_negative(block->condition.relation);
        unsigned operations = operations_behind(flow, edges, block->targets[t], true);
        question->operations[truth] |= operations;
        question->places[truth] += operations != 0;
    }
}

// Only answers that are worth keeping states apart for: about a call's result, asked again, or
// deciding over a lock operation at once.
void flow_find_guards(struct flow *flow, const struct flow_edges *edges)
{
    g_autoptr(GHashTable) questions = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (unsigned i = 0; i < flow->n_order; i++) {
        const struct ir_block *block = flow->function->blocks[flow->order[i]];
        if (block->kind == IR_BRANCH)
            ask(flow, edges, block, questions);
    }
    GHashTableIter iter;
    gpointer key, value;
    g_hash_table_iter_init(&iter, questions);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        const struct question *question = value;
        note_account(flow, question);
        // Asked once it may be asked again by who calls: `lock_if_wanted(h)`.
        bool decides = !question->operations[0] != !question->operations[1];
        if (question->times < 2 && !decides)
            continue;
        unsigned guard = question->times < 2 ? 0 : GUARD_AGAIN;
        unsigned acquires = 1u << IR_LOCK_ACQUIRE;
        for (int truth = 0; truth < 2; truth++) {
            if (question->operations[truth])
                guard |= GUARD_LOCK;
            if ((question->operations[truth] & acquires) && question->places[truth] > 1)
                guard |= GUARD_BOTH;
        }
        g_hash_table_insert(flow->guards, key, GUINT_TO_POINTER(guard));
    }
}

// ---- Predecessors.

void flow_edges_init(struct flow_edges *edges, const struct flow *flow)
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

void flow_edges_clear(struct flow_edges *edges)
{
    g_free(edges->n_predecessors);
    g_free(edges->predecessors);
    g_free(edges->memory);
}
