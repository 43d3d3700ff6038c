// Calls: what a model says of the callee, or its summary, or nothing.
#include <string.h>

#include "call_targets.h"
#include "flow_step.h"
#include "foreign.h"
#include "residency_memory.h"

static uint64_t pointee_bytes(const struct ir_value *argument)
{
    return argument->type.element_size;
}

// Of the string that is copied, when the source spells it out; 0 unknown.
static uint64_t literal_bytes(const struct flow_call *call)
{
    unsigned reads = (unsigned)call->model->reads_arg;
    if (reads >= call->instruction->n_arguments)
        return 0;
    const struct ir_value *source = &call->instruction->arguments[reads];
    return source->path.base == IR_BASE_STRING ? source->type.count : 0;
}

// A constant, or what our own caller passes.
static void set_length(struct flow_access *access, const struct symbol *bytes)
{
    access->bytes = bytes->kind == SYMBOL_CONST && bytes->number >= 0 ? (uint64_t)bytes->number : 0;
    access->length = flow_is_parameter(bytes) ? bytes : NULL;
}

static void model_access(struct flow *flow, struct flow_state *state, const struct flow_call *call,
                         int argument, bool write)
{
    const struct ir_instruction *in = call->instruction;
    if (argument < 0 || (unsigned)argument >= in->n_arguments)
        return;
    const struct symbol *pointer = call->arguments[argument];
    if (pointer->kind == SYMBOL_CONST || pointer->kind == SYMBOL_TEXT)
        return;
    struct flow_access access = {.instruction = in,
                                 .place = symbol_deref(flow->analysis->table, pointer),
                                 .write = write,
                                 .bytes = pointee_bytes(&in->arguments[argument])};
    int length = call->model->length_arg;
    if (length >= 0 && (unsigned)length < in->n_arguments) {
        const struct symbol *bytes = call->arguments[length];
        access.kind = FLOW_COPY;
        set_length(&access, bytes);
    } else if (call->model->reads_arg >= 0 && call->model->writes_arg >= 0) {
        access.kind = FLOW_COPY; // to the end of the string, wherever that is
        access.bytes = literal_bytes(call);
    }
    flow_do_access(flow, state, &access);
    if (write && !symbol_on_stack(access.place))
        return;
    if (write)
        flow_escape(flow->analysis->table, state, access.place, in);
}

// What a call that populates memory does for reads and writes; 0: nothing.
static unsigned resident_flags(const struct flow *flow, const struct flow_call *call,
                               const struct symbol *root)
{
    const struct model_function *model = call->model;
    bool write = model->resident_for_write;
    if (model->advice_arg >= 0) {
        const struct symbol *advice = (unsigned)model->advice_arg < call->instruction->n_arguments
                                          ? call->arguments[model->advice_arg]
                                          : NULL;
        if (!advice || advice->kind != SYMBOL_CONST ||
            (advice->number != model->advice_read && advice->number != model->advice_write))
            return 0;
        write = advice->number == model->advice_write;
    } else if (model->resident_but_files) {
        write = !root || !residency_is_file(flow->analysis, root);
    }
    return write ? TOUCH_READ | TOUCH_WRITE : TOUCH_READ;
}

// All of the object, but where the length is known and short.
static void make_resident(struct flow *flow, struct flow_state *state, const struct flow_call *call)
{
    unsigned n = call->instruction->n_arguments;
    int argument = call->model->resident_arg, length = call->model->length_arg;
    if (call->model->resident_all_arg >= 0 && (unsigned)call->model->resident_all_arg < n)
        residency_lock_all(flow->analysis, state, call->arguments[call->model->resident_all_arg]);
    if (argument < 0 || (unsigned)argument >= n)
        return;
    const struct symbol *place = symbol_deref(flow->analysis->table, call->arguments[argument]);
    unsigned flags = resident_flags(flow, call, symbol_root(place));
    if (!flags)
        return;
    const struct symbol *bytes =
        length >= 0 && (unsigned)length < n ? call->arguments[length] : NULL;
    bool is_short = bytes && bytes->kind == SYMBOL_CONST && bytes->number > 0 &&
                    bytes->number <= TOUCH_GRAIN * TOUCH_MAX_GRAINS;
    if (is_short)
        flow_touch(flow->analysis->table, state, place, (uint64_t)bytes->number,
                   (flags & TOUCH_WRITE) != 0);
    else
        flow_touch_all(state, symbol_range(place, 1).region, flags);
}

// In a new process nothing shared is mapped; private memory is, for reading.
static bool is_copied(const struct flow_entry *entry, const void *context)
{
    (void)context;
    return entry->key->kind == SYMBOL_VARIABLE && entry->detail != TOUCH_VALUE;
}

static void step_fork(struct flow *flow, struct flow_states *states, unsigned s,
                      const struct ir_instruction *in)
{
    struct flow_state *child = states->states[s];
    const struct symbol *test = flow_zero_test(flow, flow_plain_result(flow, in));
    struct flow_state *parent = flow_split(states, child);
    if (parent) {
        flow_assume(parent, test, false, false);
        flow_assume(child, test, true, false);
    }
    flow_map_filter(&child->touched, is_copied, NULL);
    for (unsigned i = 0; i < flow_map_size(&child->touched); i++) {
        struct flow_entry entry = *flow_map_at(&child->touched, i);
        entry.flags = TOUCH_READ;
        flow_map_set(&child->touched, &entry);
    }
}

static void step_model(struct flow *flow, struct flow_state *state, const struct flow_call *call)
{
    model_access(flow, state, call, call->model->reads_arg, false);
    model_access(flow, state, call, call->model->writes_arg, true);
    make_resident(flow, state, call);
}

// Does the callee leave alone what this argument points to, as far as all of it was seen?
static bool only_reads(const struct summary *summary, unsigned argument)
{
    if (!summary || summary->running || summary->truncated || summary->unknown || summary->indirect)
        return false;
    for (guint i = 0; i < summary->accesses->len; i++) {
        const struct summary_access *access =
            &g_array_index(summary->accesses, struct summary_access, i);
        const struct symbol *root = symbol_root(access->place);
        if (!access->write || root->kind != SYMBOL_DEREF)
            continue;
        if (root->a->kind != SYMBOL_LOAD)
            return false; // a pointer that moved, from wherever
        const struct symbol *pointer = root->a->a;
        if (pointer->kind != SYMBOL_VARIABLE)
            continue;
        const struct ir_variable *variable = pointer->what;
        if (variable->kind == IR_BASE_PARAM && variable->index == argument)
            return false;
    }
    return true;
}

static void escape_arguments(struct flow *flow, struct flow_state *state,
                             const struct flow_call *call)
{
    for (unsigned i = 0; i < call->instruction->n_arguments; i++) {
        const struct symbol *value = call->arguments[i];
        if (value->kind == SYMBOL_ADDRESS && symbol_on_stack(value->a) &&
            !only_reads(call->summary, i))
            flow_escape(flow->analysis->table, state, value->a, call->instruction);
    }
}

// `copy(pool, NULL)`: what the callee does with a source is not done in this call.
static bool is_behind_null(const struct symbol *place)
{
    for (;;) {
        const struct symbol *root = symbol_root(place);
        if (root->kind != SYMBOL_DEREF)
            return false;
        if (root->a->kind == SYMBOL_CONST)
            return root->a->number == 0;
        if (root->a->kind != SYMBOL_LOAD)
            return false;
        place = root->a->a;
    }
}

static void inner_accesses(struct flow *flow, struct flow_state *state,
                           const struct flow_call *call)
{
    const struct summary *summary = call->summary;
    for (guint i = 0; i < summary->accesses->len; i++) {
        const struct summary_access *inner =
            &g_array_index(summary->accesses, struct summary_access, i);
        const struct symbol *place =
            summary_instance(flow, state, call->instruction, call->arguments, inner->place);
        if (!place || !symbol_is_place(place) || is_behind_null(place))
            continue;
        struct flow_access access = {.instruction = call->instruction,
                                     .place = place,
                                     .write = inner->write,
                                     .bytes = inner->bytes,
                                     .kind = FLOW_INNER,
                                     .inner = inner};
        if (inner->length)
            set_length(&access, summary_instance(flow, state, call->instruction, call->arguments,
                                                 inner->length));
        if (flow->listener && flow->listener->access)
            flow->listener->access(flow->listener->context, flow, state, &access);
    }
    for (unsigned i = 0; i < flow_map_size(&summary->touched); i++) {
        const struct flow_entry *entry = flow_map_at(&summary->touched, i);
        if (entry->detail == TOUCH_VALUE || entry->key->kind == SYMBOL_SWEEP)
            continue;
        if (entry->key->kind == SYMBOL_TEXT) // everything is locked
            flow_map_set(&state->touched, entry);
        const struct symbol *region =
            summary_instance(flow, state, call->instruction, call->arguments, entry->key);
        if (!region || !symbol_is_place(region) || symbol_on_stack(region))
            continue;
        // The argument may point into a bigger object.
        struct symbol_range range = symbol_range(region, 1);
        struct flow_entry touched = {.key = range.region,
                                     .detail = entry->detail == TOUCH_ALL
                                                   ? TOUCH_ALL
                                                   : entry->detail + range.low / TOUCH_GRAIN,
                                     .flags = entry->flags};
        const struct flow_entry *old = flow_map_find(&state->touched, touched.key, touched.detail);
        if (old)
            touched.flags |= old->flags;
        flow_map_set(&state->touched, &touched);
    }
}

static bool level_does_not_return(const struct flow_call *call)
{
    int argument = call->model ? call->model->no_return_level_arg : -1;
    if (argument < 0 || (unsigned)argument >= call->instruction->n_arguments)
        return false;
    const struct symbol *level = call->arguments[argument];
    if (level->kind != SYMBOL_CONST)
        return false;
    if (level->number >= call->model->no_return_level)
        return true;
    for (const char *at = call->model->no_return_values; at && *at;) {
        char *end;
        if (g_ascii_strtoll(at, &end, 10) == level->number && end != at)
            return true;
        at = end == at ? at + 1 : end;
    }
    return false;
}

// A big function that has nothing to do with locks is not worth a summary while no lock is held.
static bool worth_summary(struct flow *flow, const struct flow_state *state,
                          const struct ir_function *function)
{
    if (function->n_blocks <= 64 || analysis_reaches_lock(flow->analysis, function))
        return true;
    flow->analysis->deepens |= !state->n_locks;
    return state->n_locks || flow->analysis->deep;
}

// A bit lock's word is released by whoever swaps the bit away.
static bool swaps_lock_word(const struct flow_state *state, const struct symbol *place)
{
    for (unsigned i = 0; i < state->n_locks; i++) {
        const struct flow_lock *lock = &state->locks[i];
        if (!lock->stale && symbol_contains(place, lock->place) && place != lock->place)
            return true;
    }
    return false;
}

void flow_release_by_swap(struct flow *flow, struct flow_states *states, unsigned s,
                          const struct ir_instruction *in, const struct symbol *place)
{
    struct flow_state *state = states->states[s];
    if (!swaps_lock_word(state, place))
        return;
    const struct symbol *test = flow_zero_test(flow, flow_plain_result(flow, in));
    struct flow_state *failed = flow_split(states, state);
    if (failed)
        flow_assume(failed, test, true, TEST_OF_LOCK);
    flow_assume(state, test, false, TEST_OF_LOCK);
    for (unsigned i = state->n_locks; i-- > 0;) {
        const struct symbol *lock = state->locks[i].place;
        if (!state->locks[i].stale && symbol_contains(place, lock)) {
            flow_do_release(flow, state, in, lock, state->locks[i].site->op);
            return;
        }
    }
}

// The value of an argument that a model speaks of, where it is a constant.
static const int64_t *constant_at(const struct flow_call *call, int arg)
{
    bool known = arg >= 0 && (unsigned)arg < call->instruction->n_arguments &&
                 call->arguments[arg]->kind == SYMBOL_CONST;
    return known ? &call->arguments[arg]->number : NULL;
}

static unsigned effects_here(const struct flow_call *call)
{
    const int64_t *level = constant_at(call, call->model->level_arg);
    unsigned effects = model_call_effects(call->model, constant_at(call, call->model->flag_arg));
    return level ? model_level_effects(call->model, effects, *level) : effects;
}

// `in_atomic() ? GFP_ATOMIC : GFP_KERNEL`: what has asked whether it may sleep, and may, is not
// called with a lock held.
static bool asked_and_may_sleep(const struct flow *flow, const struct flow_state *state)
{
    for (unsigned i = 0; i < flow_map_size(&state->tests); i++) {
        const struct flow_entry *entry = flow_map_at(&state->tests, i);
        const struct symbol *test = entry->key;
        bool is_zero = test->number == IR_EQ && test->b && test->b->kind == SYMBOL_CONST &&
                       test->b->number == 0 && (entry->flags & TEST_TRUE);
        if (!is_zero || test->a->kind != SYMBOL_RESULT)
            continue;
        const struct ir_instruction *call = test->a->what;
        const struct model_function *model =
            call->callee ? model_find_function(flow->analysis->models, call->callee) : NULL;
        if (model && model->asks_context)
            return true;
    }
    return false;
}

// A file's own static function is not what a model of another project speaks of.
static bool is_namesake(const struct analysis *analysis, const struct flow_call *call)
{
    const struct ir_function *own = analysis_find(analysis, call->instruction);
    return own && own->is_static && !own->from_header && !call->model->given;
}

bool flow_call_crashes(const struct flow_call *call)
{
    if (!call->no_return)
        return false;
    if (call->summary)
        return !(call->summary->effects & (MODEL_MAY_ERROR | MODEL_EXITS));
    return call->effects & MODEL_CRASHES;
}

bool flow_call_exits(const struct flow_call *call)
{
    unsigned effects = call->summary ? call->summary->effects : call->effects;
    return call->no_return && (effects & MODEL_EXITS) && !(effects & MODEL_MAY_ERROR);
}

static void step_known(struct flow *flow, struct flow_states *states, unsigned s,
                       const struct flow_call *call)
{
    struct flow_state *state = states->states[s];
    const struct ir_instruction *in = call->instruction;
    if (call->model)
        step_model(flow, state, call);
    if (call->summary)
        inner_accesses(flow, state, call);
    escape_arguments(flow, state, call);
    if (call->summary)
        flow_apply_outcomes(flow, states, s, call);
    if (call->effects & MODEL_FORKS)
        step_fork(flow, states, s, in);
    if (call->model && in->callee && strstr(in->callee, "compare_exchange") && in->n_arguments)
        flow_release_by_swap(flow, states, s, in,
                             symbol_deref(flow->analysis->table, call->arguments[0]));
}

// `spin_lock(get_lock())`: what it returns is the name of a lock.
static bool names_lock(const struct flow *flow, const struct ir_instruction *call)
{
    for (unsigned k = 0; flow->block && k < flow->block->n_instructions; k++) {
        const struct ir_instruction *in = flow->block->instructions[k];
        if (in->op != IR_LOCK_OP)
            continue;
        const struct ir_value *lock = &in->lock;
        if (lock->kind == IR_VALUE_CALL
                ? lock->index == call->number
                : lock->path.base == IR_BASE_CALL && lock->path.index == call->number)
            return true;
    }
    return false;
}

// What a function of another file does matters when it is called under a lock, ours or our
// caller's, when it may change which locks are held, and when it says which lock is meant.
static const struct summary *summary_from_elsewhere(struct flow *flow,
                                                    const struct flow_state *state,
                                                    const struct flow_call *call)
{
    struct analysis *analysis = flow->analysis;
    const struct ir_instruction *in = call->instruction;
    if (!analysis->foreign || in->indirect || !in->callee)
        return NULL;
    bool here = state->n_locks || names_lock(flow, in), deep = analysis->deep || here;
    analysis->deepens |= !here;
    return deep || analysis_may_lock(analysis, in) ? foreign_summary(analysis, in->callee, deep)
                                                   : NULL;
}

static const struct summary *summary_at(struct flow *flow, const struct flow_state *state,
                                        const struct flow_call *call)
{
    struct analysis *analysis = flow->analysis;
    if (call->model)
        return NULL;
    if (!call->function)
        return summary_from_elsewhere(flow, state, call);
    if (!worth_summary(flow, state, call->function))
        return NULL;
    bool deep = analysis->deep, deepens = analysis->deepens;
    analysis->deep = deep || state->n_locks;
    const struct summary *summary = summary_of(analysis, call->function);
    analysis->deep = deep;
    // Under a lock of our own it is deep in any case.
    if (state->n_locks)
        analysis->deepens = deepens;
    return summary;
}

static void step_call(struct flow *flow, const struct ir_instruction *in,
                      struct flow_states *states, unsigned s)
{
    struct analysis *analysis = flow->analysis;
    struct flow_state *state = states->states[s];
    flow_forget(analysis->table, state, in);
    const struct symbol **arguments = g_new0(const struct symbol *, MAX(in->n_arguments, 1));
    for (unsigned i = 0; i < in->n_arguments; i++)
        arguments[i] = flow_value(flow, state, &in->arguments[i], in);
    struct flow_call call = {.instruction = in, .arguments = arguments};
    if (!in->indirect && analysis->models && in->callee)
        call.model = model_find_function(analysis->models, in->callee);
    if (call.model && is_namesake(analysis, &call))
        call.model = NULL;
    const struct model_function *fallback = call.model && call.model->fallback ? call.model : NULL;
    if (fallback)
        call.model = NULL;
    if (call.model)
        call.effects = effects_here(&call);
    else
        call.function = analysis_find(analysis, in);
    if (in->indirect)
        call.targets = call_targets_of(flow, state, in);
    call.summary = call.targets ? call.targets->summary : summary_at(flow, state, &call);
    if (fallback && !call.function && !call.summary) {
        call.model = fallback;
        call.effects = effects_here(&call);
    }
    if ((call.effects & MODEL_BLOCKS) && asked_and_may_sleep(flow, state))
        call.effects &= ~(unsigned)MODEL_BLOCKS;
    call.too_far = !call.model && !call.function && !call.summary && !in->indirect && in->callee &&
                   foreign_too_far(analysis, in->callee);
    call.no_return = in->no_return || (call.effects & MODEL_NO_RETURN) ||
                     level_does_not_return(&call) ||
                     (call.summary && !call.summary->running && !call.summary->returns);
    if (flow->listener && flow->listener->call)
        flow->listener->call(flow->listener->context, flow, state, &call);
    if (call.no_return) {
        flow_state_clear(state);
        g_free(state);
        states->states[s] = NULL;
    } else {
        step_known(flow, states, s, &call);
    }
    g_free(arguments);
}

void flow_step_calls(struct flow *flow, const struct ir_instruction *in, struct flow_states *states)
{
    unsigned n = states->n;
    for (unsigned s = 0; s < n; s++)
        step_call(flow, in, states, s);
    unsigned kept = 0;
    for (unsigned s = 0; s < states->n; s++) {
        if (states->states[s])
            states->states[kept++] = states->states[s];
    }
    states->n = kept;
}
