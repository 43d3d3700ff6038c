// One instruction: what it does to a state, and what a listener hears of it. See flow.h.
#include <string.h>

#include "flow_spin.h"
#include "flow_step.h"
#include "residency_memory.h"

#define RECURSION_COUNTED 4u // times that one holder's recursive lock is told apart

// ---- From the IR's names to symbols.

static const struct symbol *base_place(struct flow *flow, const struct ir_path *path,
                                       const struct ir_instruction *instruction)
{
    struct symbol_table *table = flow->analysis->table;
    switch (path->base) {
    case IR_BASE_PARAM:
        // The function's own object, whichever copy the path has.
        if (path->variable && path->variable->index < flow->function->n_params)
            return symbol_variable(table, flow->function->params[path->variable->index]);
        return symbol_variable(table, path->variable);
    case IR_BASE_GLOBAL:
    case IR_BASE_THREAD_LOCAL:
    case IR_BASE_LOCAL:
    case IR_BASE_STATIC_LOCAL:
        return symbol_variable(table, path->variable);
    case IR_BASE_STRING:
        return symbol_make(table, SYMBOL_STRING, NULL, NULL, 0, instruction);
    case IR_BASE_CONST_ADDRESS:
        return symbol_deref(table, symbol_const(table, path->index));
    case IR_BASE_CALL:
    case IR_BASE_UNKNOWN:
        break;
    }
    return symbol_deref(table, symbol_make(table, SYMBOL_OPAQUE, NULL, NULL, 0, instruction));
}

static const struct ir_instruction *instruction_by_number(const struct flow *flow, unsigned number)
{
    // Numbers ascend within a block and from block to block nearly so; functions are small.
    const struct ir_block *block = flow->block;
    for (unsigned k = 0; block && k < block->n_instructions; k++) {
        if (block->instructions[k]->number == number)
            return block->instructions[k];
    }
    for (unsigned b = 0; b < flow->function->n_blocks; b++) {
        block = flow->function->blocks[b];
        for (unsigned k = 0; k < block->n_instructions; k++) {
            if (block->instructions[k]->number == number)
                return block->instructions[k];
        }
    }
    return NULL;
}

static const struct symbol *result_of(struct flow *flow, const struct flow_state *state,
                                      unsigned number)
{
    struct symbol_table *table = flow->analysis->table;
    const struct ir_instruction *call = instruction_by_number(flow, number);
    const struct symbol *result = symbol_make(table, SYMBOL_RESULT, NULL, NULL, 0, call);
    const struct flow_entry *entry = flow_map_find(&state->bindings, result, 0);
    return entry ? entry->value : result;
}

static const struct symbol *index_symbol(struct flow *flow, const struct flow_state *state,
                                         const struct ir_step *step,
                                         const struct ir_instruction *instruction)
{
    if (step->constant_index)
        return NULL;
    if (step->index_value && step->index_value->kind != IR_VALUE_UNKNOWN)
        return flow_value(flow, state, step->index_value, instruction);
    return symbol_make(flow->analysis->table, SYMBOL_TEXT, NULL, NULL, 0,
                       g_intern_string(step->index_text ? step->index_text : "?"));
}

const struct symbol *flow_place(struct flow *flow, const struct flow_state *state,
                                const struct ir_path *path,
                                const struct ir_instruction *instruction)
{
    struct symbol_table *table = flow->analysis->table;
    const struct symbol *place = NULL;
    unsigned i = 0;
    if (path->base == IR_BASE_CALL) {
        const struct symbol *result = result_of(flow, state, path->index);
        if (path->n_steps && path->steps[0].kind == IR_STEP_DEREF) {
            place = symbol_deref(table, result);
            i = 1;
        } else {
            place = symbol_make(table, SYMBOL_TEMPORARY, NULL, NULL, 0,
                                instruction_by_number(flow, path->index));
        }
    } else {
        place = base_place(flow, path, instruction);
    }
    for (; i < path->n_steps; i++) {
        const struct ir_step *step = &path->steps[i];
        if (step->kind == IR_STEP_FIELD)
            place = symbol_field(table, place, step);
        else if (step->kind == IR_STEP_DEREF)
            place = symbol_deref(table, flow_load(table, state, place));
        else
            place = symbol_index(table, place, step, index_symbol(flow, state, step, instruction));
    }
    return place;
}

const struct symbol *flow_value(struct flow *flow, const struct flow_state *state,
                                const struct ir_value *value,
                                const struct ir_instruction *instruction)
{
    struct symbol_table *table = flow->analysis->table;
    switch (value->kind) {
    case IR_VALUE_CONST:
        return symbol_const(table, value->constant);
    case IR_VALUE_ADDRESS:
        return symbol_address(table, flow_place(flow, state, &value->path, instruction));
    case IR_VALUE_LOAD:
        return flow_load(table, state, flow_place(flow, state, &value->path, instruction));
    case IR_VALUE_BITS: {
        const struct symbol *all =
            flow_load(table, state, flow_place(flow, state, &value->path, instruction));
        return symbol_bits(table, all, value->constant);
    }
    case IR_VALUE_CALL:
        return result_of(flow, state, value->index);
    case IR_VALUE_FUNCTION:
        return symbol_make(table, SYMBOL_TEXT, NULL, NULL, 0,
                           g_intern_string(value->function ? value->function : "?"));
    case IR_VALUE_UNKNOWN:
        break;
    }
    return symbol_make(table, SYMBOL_OPAQUE, NULL, NULL, 0,
                       instruction ? (const void *)instruction : (const void *)value);
}

// The name as the source has it, when a local stands for something else.
static const struct symbol *spelled_place(struct flow *flow, const struct ir_path *path,
                                          const struct ir_instruction *instruction)
{
    static const struct flow_state empty;
    return path->base == IR_BASE_LOCAL ? flow_place(flow, &empty, path, instruction) : NULL;
}

// ---- Sites.

struct flow_site *flow_site_for(struct flow *flow, const struct ir_instruction *instruction,
                                enum flow_site_kind kind, const struct symbol *place,
                                const struct model_lock_op *op)
{
    struct flow_site *site = instruction ? g_hash_table_lookup(flow->sites, instruction) : NULL;
    // One call may take several locks.
    if (site && kind == SITE_CALL && !symbol_same_place(site->place, place)) {
        for (guint i = 0; i < flow->site_list->len; i++) {
            site = flow->site_list->pdata[i];
            if (site->instruction == instruction && symbol_same_place(site->place, place))
                return site;
        }
        site = NULL;
    }
    if (site)
        return site;
    site = g_new0(struct flow_site, 1);
    *site = (struct flow_site){.number = flow->site_list->len,
                               .kind = kind,
                               .instruction = instruction,
                               .place = place,
                               .op = op};
    g_ptr_array_add(flow->site_list, site);
    if (instruction && !g_hash_table_contains(flow->sites, instruction))
        g_hash_table_insert(flow->sites, (gpointer)instruction, site);
    return site;
}

// ---- Accesses.

// Not so when its rounds are fewer than the array has elements.
static bool goes_over_all(const struct flow_loop *loop, const struct symbol *index)
{
    uint64_t count = index->step ? index->step->count : 0;
    return !loop->head->loop_constant_bound || (count && count <= loop->head->loop_bound);
}

// A loop over an array touches all of it: see TOUCH in flow_state.h.
static void sweep(struct flow *flow, struct flow_state *state, const struct symbol *place,
                  unsigned flags)
{
    struct symbol_table *table = flow->analysis->table;
    for (guint i = 0; i < flow->loops->len; i++) {
        const struct flow_loop *loop = flow->loops->pdata[i];
        if (!flow_loop_holds(loop, flow->block))
            continue;
        const struct symbol *index = symbol_runtime_index(place);
        if (index && symbol_mentions(index->b, loop->head) && goes_over_all(loop, index))
            flow_touch_sweep(table, state, index->a, loop->head->number, flags);
        const struct symbol *root = symbol_root(place);
        if (root->kind == SYMBOL_DEREF && root->a->kind == SYMBOL_PHI &&
            root->a->what == loop->head) {
            const struct symbol *origin = g_hash_table_lookup(flow->origins, root->a);
            if (origin)
                flow_touch_sweep(table, state, symbol_deref(table, origin), loop->head->number,
                                 flags);
        }
    }
}

void flow_do_touch(struct flow *flow, struct flow_state *state, const struct symbol *place,
                   uint64_t bytes, bool write)
{
    if (symbol_on_stack(place) && !residency_is_deep_stack(place))
        return;
    if (residency_is_one_page(flow->analysis, symbol_root(place)))
        flow_touch_all(state, symbol_root(place), write ? TOUCH_READ | TOUCH_WRITE : TOUCH_READ);
    flow_touch(flow->analysis->table, state, place, bytes, write);
    sweep(flow, state, place, write ? TOUCH_READ | TOUCH_WRITE : TOUCH_READ);
}

void flow_do_access(struct flow *flow, struct flow_state *state, const struct flow_access *access)
{
    if (flow->listener && flow->listener->access)
        flow->listener->access(flow->listener->context, flow, state, access);
    flow_do_touch(flow, state, access->place, access->bytes, access->write);
}

static void step_access(struct flow *flow, const struct ir_instruction *in,
                        struct flow_state *state)
{
    struct flow_access access = {.instruction = in,
                                 .place = flow_place(flow, state, &in->path, in),
                                 .write = in->write,
                                 .is_volatile = in->is_volatile,
                                 .bytes = in->bytes};
    if (flow->listener)
        access.spelled = spelled_place(flow, &in->path, in);
    flow_do_access(flow, state, &access);
    if (in->write || state->n_locks)
        return;
    // A pointer that is known before any lock is taken is not chased under it.
    const struct symbol *value = flow_load(flow->analysis->table, state, access.place);
    if (value->kind == SYMBOL_LOAD && !symbol_on_stack(value->a)) {
        struct flow_entry entry = {.key = value, .detail = TOUCH_VALUE, .flags = TOUCH_READ};
        flow_map_set(&state->touched, &entry);
    }
}

// `head = head->next`: the object that leaves the list was at most seen by others.
static void notice_pop(struct flow *flow, struct flow_state *state, const struct symbol *place,
                       const struct symbol *value)
{
    if (!flow->listener || !flow->listener->pop || value->kind != SYMBOL_LOAD)
        return;
    const struct symbol *root = symbol_root(value->a);
    if (root->kind != SYMBOL_DEREF || root->a->kind != SYMBOL_LOAD)
        return;
    if (symbol_same_place(root->a->a, place))
        flow->listener->pop(flow->listener->context, flow, state, root->a);
}

static void step_assign(struct flow *flow, const struct ir_instruction *in,
                        struct flow_state *state)
{
    struct symbol_table *table = flow->analysis->table;
    const struct symbol *place = flow_place(flow, state, &in->path, in);
    const struct symbol *value = NULL;
    if (in->value.kind == IR_VALUE_UNKNOWN) {
        flow_forget(table, state, in);
        value = symbol_make(table, SYMBOL_OPAQUE, place, NULL, 0, in);
    } else {
        value = flow_value(flow, state, &in->value, in);
    }
    if (flow->listener && !value->alias) {
        g_autofree char *name = symbol_text(place);
        symbol_set_alias(value, name);
    }
    notice_pop(flow, state, place, value);
    // A lock that nobody named is released by a plain store as well.
    int held = flow_find_lock(state, place);
    if (held >= 0 && flow_spin_lets_go(&state->locks[held], &in->value, value))
        flow_do_release(flow, state, in, place, state->locks[held].site->op);
    flow_blur(table, state, place, in);
    flow_store(table, state, place, value);
}

// ---- Locks.

static bool is_vague(const struct symbol *place)
{
    const struct symbol *root = symbol_root(place);
    return root->kind == SYMBOL_DEREF &&
           (root->a->kind == SYMBOL_OPAQUE || root->a->kind == SYMBOL_PHI ||
            root->a->kind == SYMBOL_INSTANCE);
}

// Elements of one array, at indices that may be equal.
static bool may_be_same(const struct symbol *a, const struct symbol *b)
{
    return symbol_root(a) == symbol_root(b) &&
           (symbol_runtime_index(a) || symbol_runtime_index(b)) && a->kind == b->kind &&
           (a->kind != SYMBOL_FIELD || a->number == b->number);
}

// Which held lock a release means. By name; else the only one that could be meant: an alias that
// could not be followed, an element at an unknown index, or a lock of an earlier round of a loop.
static int match_release(const struct flow_state *state, const struct symbol *place,
                         const struct model_lock_op *op, bool *exact)
{
    int found = flow_find_lock(state, place);
    *exact = found >= 0;
    if (found >= 0)
        return found;
    g_autofree char *name = symbol_lock_text(place);
    int only = -1;
    unsigned n = 0;
    for (unsigned i = state->n_locks; i-- > 0;) {
        const struct flow_lock *lock = &state->locks[i];
        g_autofree char *other = symbol_lock_text(lock->place);
        if (strcmp(name, other) == 0 || may_be_same(place, lock->place))
            return (int)i;
        bool family = !op || !lock->site->op || g_strcmp0(op->family, lock->site->op->family) == 0;
        if (family && lock->site->kind != SITE_ENTRY) {
            only = (int)i;
            n++;
        }
    }
    if (n != 1)
        return -1;
    const struct flow_lock *lock = &state->locks[only];
    return is_vague(place) || is_vague(lock->place) || lock->stale ? only : -1;
}

// The word itself has another value now. (A lock that is named by its object, as a buffer header
// is, has its word somewhere in it.)
static void change_word(struct flow *flow, struct flow_state *state,
                        const struct ir_instruction *in, const struct symbol *place)
{
    struct symbol_table *table = flow->analysis->table;
    if (place->kind == SYMBOL_DEREF || (place->step && place->step->size > sizeof(uint64_t) * 2))
        return;
    flow_store(table, state, place, symbol_make(table, SYMBOL_OPAQUE, place, NULL, 2, in));
}

void flow_do_release(struct flow *flow, struct flow_state *state, const struct ir_instruction *in,
                     const struct symbol *place, const struct model_lock_op *op)
{
    bool exact = false;
    int lock = match_release(state, place, op, &exact);
    flow->released_by = op;
    if (flow->listener && flow->listener->release)
        flow->listener->release(flow->listener->context, flow, state, in, place, lock, exact);
    flow->released_by = NULL;
    if (lock >= 0)
        flow_drop_lock(state, (unsigned)lock);
    struct flow_entry entry = {.key = place, .flags = in->location.line};
    flow_map_set(&state->released, &entry);
    change_word(flow, state, in, place);
    flow_do_touch(flow, state, place, 4, true);
}

// A recursive lock is held as often as it was taken, as far as that is worth counting.
static bool may_take_again(const struct flow_state *state, const struct symbol *place,
                           const struct flow_site *site)
{
    unsigned times = 0;
    for (unsigned i = 0; i < state->n_locks; i++)
        times += symbol_same_place(state->locks[i].place, place);
    return site->op && site->op->recursive && times < RECURSION_COUNTED;
}

void flow_do_acquire(struct flow *flow, struct flow_state *state, struct flow_site *site,
                     const struct symbol *place)
{
    if (flow->listener && flow->listener->acquire)
        flow->listener->acquire(flow->listener->context, flow, state, site, place);
    int held = flow_find_lock(state, place);
    flow_renew(flow->analysis->table, state, place, site->instruction);
    // Taken twice: the listener has heard; from here on it is held once, unless it counts.
    if (held < 0 || state->locks[held].stale || may_take_again(state, place, site))
        flow_push_lock(state, place, site);
    if (site->instruction)
        change_word(flow, state, site->instruction, place);
    flow_do_touch(flow, state, place, 4, true);
}

struct flow_state *flow_split(struct flow_states *states, const struct flow_state *state)
{
    if (states->n == FLOW_STATES)
        return NULL;
    struct flow_state *copy = g_new(struct flow_state, 1);
    flow_state_copy(copy, state);
    states->states[states->n++] = copy;
    return copy;
}

const struct symbol *flow_zero_test(struct flow *flow, const struct symbol *value)
{
    struct symbol_table *table = flow->analysis->table;
    return symbol_make(table, SYMBOL_TEST, value, symbol_const(table, 0), IR_EQ, NULL);
}

const struct symbol *flow_plain_result(struct flow *flow, const struct ir_instruction *in)
{
    return symbol_make(flow->analysis->table, SYMBOL_RESULT, NULL, NULL, 0, in);
}

static const struct symbol *lock_place(struct flow *flow, const struct flow_state *state,
                                       const struct ir_instruction *in)
{
    return symbol_deref(flow->analysis->table, flow_value(flow, state, &in->lock, in));
}

static const struct symbol *negative_test(struct flow *flow, const struct symbol *value)
{
    struct symbol_table *table = flow->analysis->table;
    return symbol_make(table, SYMBOL_TEST, value, symbol_const(table, 0), IR_LT, NULL);
}

// What this path holds for itself alone it does not get again.
static bool cannot_succeed(const struct flow_state *state, const struct symbol *place,
                           const struct flow_site *site)
{
    int held = flow_find_lock(state, place);
    const struct flow_lock *lock = held >= 0 ? &state->locks[held] : NULL;
    return lock && !lock->maybe && !may_take_again(state, place, site) &&
           lock->mode == HELD_BY_WRITER;
}

static void assume_failed(struct flow *flow, struct flow_state *state,
                          const struct ir_instruction *in)
{
    bool zero = in->lock_op && in->lock_op->acquired == ACQUIRED_WHEN_ZERO;
    const struct symbol *result = flow_plain_result(flow, in);
    flow_assume(state, flow_zero_test(flow, result), !zero, TEST_OF_LOCK);
    if (in->lock_op && in->lock_op->fails_negative)
        flow_assume(state, negative_test(flow, result), true, TEST_OF_LOCK);
}

// The lock stays held, in another mode; also when that was tried in vain, in the mode it had.
static void change_mode(struct flow *flow, const struct ir_instruction *in,
                        struct flow_states *states, struct flow_state *state)
{
    flow_forget(flow->analysis->table, state, in);
    const struct symbol *place = lock_place(flow, state, in);
    int held = flow_find_lock(state, place);
    bool is_try = in->lock_op->acquired != ACQUIRED_ALWAYS;
    bool zero = in->lock_op->acquired == ACQUIRED_WHEN_ZERO;
    const struct symbol *test = flow_zero_test(flow, flow_plain_result(flow, in));
    struct flow_state *failed = is_try && held >= 0 ? flow_split(states, state) : NULL;
    if (failed) {
        flow_assume(failed, test, !zero, TEST_OF_LOCK);
        flow_assume(state, test, zero, TEST_OF_LOCK);
    }
    flow_do_touch(flow, state, place, 4, true);
    if (held < 0)
        return;
    struct flow_lock *lock = &state->locks[held];
    enum flow_mode mode = in->lock_op->mode == MODE_SHARED ? HELD_BY_READER : HELD_BY_WRITER;
    lock->mode = is_try && !failed && lock->mode != mode ? HELD_BY_EITHER : mode;
}

static void step_lock(struct flow *flow, const struct ir_instruction *in,
                      struct flow_states *states)
{
    unsigned n = states->n;
    for (unsigned s = 0; s < n; s++) {
        struct flow_state *state = states->states[s];
        const struct symbol *place = lock_place(flow, state, in);
        if (in->action == IR_LOCK_RELEASE) {
            flow_do_release(flow, state, in, place, in->lock_op);
            continue;
        }
        if (in->action == IR_LOCK_CHANGE) {
            change_mode(flow, in, states, state);
            continue;
        }
        flow_forget(flow->analysis->table, state, in);
        place = lock_place(flow, state, in);
        enum flow_site_kind kind = in->action == IR_LOCK_TRY ? SITE_TRY : SITE_ACQUIRE;
        struct flow_site *site = flow_site_for(flow, in, kind, place, in->lock_op);
        if (kind == SITE_TRY && cannot_succeed(state, place, site)) {
            assume_failed(flow, state, in);
            continue;
        }
        // Without room for both outcomes the lock may be held.
        struct flow_state *failed = kind == SITE_TRY ? flow_split(states, state) : NULL;
        flow_do_acquire(flow, state, site, place);
        if (kind != SITE_TRY)
            continue;
        bool zero = in->lock_op && in->lock_op->acquired == ACQUIRED_WHEN_ZERO;
        const struct symbol *test = flow_zero_test(flow, flow_plain_result(flow, in));
        flow_assume(state, test, zero, TEST_OF_LOCK);
        if (failed)
            flow_assume(failed, test, !zero, TEST_OF_LOCK);
        if (!in->lock_op || !in->lock_op->fails_negative)
            continue;
        const struct symbol *negative = negative_test(flow, flow_plain_result(flow, in));
        flow_assume(state, negative, false, TEST_OF_LOCK);
        if (failed)
            flow_assume(failed, negative, true, TEST_OF_LOCK);
    }
}

// ---- The rest.

static void step_debug(struct flow *flow, const struct ir_instruction *in,
                       const struct flow_states *states)
{
    if (!flow->listener || !flow->listener->debug)
        return;
    for (unsigned s = 0; s < states->n; s++) {
        const struct symbol *value = NULL;
        if (in->n_arguments)
            value = flow_value(flow, states->states[s], &in->arguments[0], in);
        flow->listener->debug(flow->listener->context, flow, states->states[s], in, value);
    }
}

void flow_step(struct flow *flow, const struct ir_instruction *instruction,
               struct flow_states *states)
{
    switch (instruction->op) {
    case IR_ACCESS: {
        const struct model_lock_op *op = flow_spin_ticket(flow, instruction);
        unsigned n = states->n;
        for (unsigned s = 0; s < n; s++) {
            step_access(flow, instruction, states->states[s]);
            if (op)
                flow_wait_for_turn(flow, states, s, instruction, op);
        }
        break;
    }
    case IR_ASSIGN:
        for (unsigned s = 0; s < states->n; s++)
            step_assign(flow, instruction, states->states[s]);
        break;
    case IR_CALL:
        flow_step_calls(flow, instruction, states);
        break;
    case IR_LOCK_OP:
        step_lock(flow, instruction, states);
        break;
    case IR_ATOMIC:
        flow_step_atomic(flow, instruction, states);
        break;
    case IR_DEBUG:
        step_debug(flow, instruction, states);
        break;
    }
}
