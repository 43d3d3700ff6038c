// Summaries: a function's flow, seen from outside. See summary.h.
#include "summary.h"

#include <string.h>

#include "flow.h"
#include "residency.h"
#include "summary_rounds.h"

// ---- From the callee's symbols to the caller's.

struct instance {
    struct flow *flow;
    const struct flow_state *state;
    const struct ir_instruction *call;
    const struct symbol *const *arguments;
};

static const struct symbol *instantiate(const struct instance *in, const struct symbol *symbol);

static const struct symbol *opaque_instance(const struct instance *in, const struct symbol *symbol)
{
    return symbol_make(in->flow->analysis->table, SYMBOL_INSTANCE, symbol, NULL, 0, in->call);
}

static const struct symbol *instance_of_load(const struct instance *in, const struct symbol *symbol)
{
    const struct symbol *place = symbol->a;
    if (place->kind == SYMBOL_VARIABLE) {
        const struct ir_variable *variable = place->what;
        if (variable->kind == IR_BASE_PARAM)
            return variable->index < in->call->n_arguments ? in->arguments[variable->index]
                                                           : opaque_instance(in, symbol);
    }
    const struct symbol *ours = instantiate(in, place);
    if (!ours)
        return opaque_instance(in, symbol);
    return flow_load(in->flow->analysis->table, in->state, ours);
}

static const struct symbol *instance_of_place(const struct instance *in,
                                              const struct symbol *symbol)
{
    struct symbol_table *table = in->flow->analysis->table;
    if (symbol->kind == SYMBOL_VARIABLE) {
        const struct ir_variable *variable = symbol->what;
        bool stack = variable->kind == IR_BASE_PARAM || variable->kind == IR_BASE_LOCAL;
        return stack ? NULL : symbol;
    }
    if (symbol->kind == SYMBOL_DEREF)
        return symbol_deref(table, instantiate(in, symbol->a));
    if (symbol->kind != SYMBOL_FIELD && symbol->kind != SYMBOL_INDEX)
        return NULL; // TEMPORARY, STRING
    const struct symbol *base = instantiate(in, symbol->a);
    if (!base || !symbol_is_place(base))
        return NULL;
    if (symbol->kind == SYMBOL_FIELD)
        return symbol_field(table, base, symbol->step);
    const struct symbol *index =
        symbol->b ? instantiate(in, symbol->b) : symbol_const(table, symbol->number);
    return symbol_index(table, base, symbol->step, index);
}

// NULL for a place on the callee's stack.
static const struct symbol *instantiate(const struct instance *in, const struct symbol *symbol)
{
    if (symbol_is_place(symbol))
        return instance_of_place(in, symbol);
    switch (symbol->kind) {
    case SYMBOL_LOAD:
        return instance_of_load(in, symbol);
    case SYMBOL_ADDRESS: {
        const struct symbol *place = instantiate(in, symbol->a);
        return place ? symbol_address(in->flow->analysis->table, place)
                     : opaque_instance(in, symbol);
    }
    case SYMBOL_BITS: {
        const struct symbol *all = instantiate(in, symbol->a);
        if (!all)
            return opaque_instance(in, symbol);
        return symbol_bits(in->flow->analysis->table, all, symbol->number);
    }
    case SYMBOL_CONST:
    case SYMBOL_TEXT:
        return symbol;
    default:
        return opaque_instance(in, symbol);
    }
}

const struct symbol *summary_instance(struct flow *flow, const struct flow_state *state,
                                      const struct ir_instruction *call,
                                      const struct symbol *const *arguments,
                                      const struct symbol *symbol)
{
    struct instance in = {flow, state, call, arguments};
    return instantiate(&in, symbol);
}

// It let go of the lock before: who holds it when calling waits for nobody.
static bool takes_back(const struct flow_state *state, const struct symbol *place)
{
    for (unsigned i = 0; place && i < flow_map_size(&state->released); i++) {
        if (symbol_same_place(flow_map_at(&state->released, i)->key, place))
            return true;
    }
    return false;
}

// ---- From a flow to a summary.

struct collector {
    struct summary *summary;
    bool first_return;
    bool recursive; // calls itself, perhaps through others
};

// Can the caller name it, or at least tell that it is memory of its own kind?
static bool escapes_callee(const struct symbol *place)
{
    const struct symbol *root = symbol_root(place);
    return root->kind == SYMBOL_DEREF ||
           (root->kind == SYMBOL_VARIABLE && !symbol_on_stack(root) &&
            ((const struct ir_variable *)root->what)->kind != IR_BASE_THREAD_LOCAL);
}

static bool walks(const struct flow *flow, const struct symbol *place)
{
    for (guint i = 0; i < flow->loops->len; i++) {
        const struct flow_loop *loop = flow->loops->pdata[i];
        if (flow_loop_holds(loop, flow->block) && flow_varies(flow, loop, place))
            return true;
    }
    return false;
}

// A function that is entered with a lock and has let go of it does the rest without it.
static bool on_its_own(const struct flow *flow, const struct flow_state *state)
{
    if (flow->entry_sites->len == 0)
        return false;
    for (unsigned i = 0; i < state->n_locks; i++) {
        if (state->locks[i].site->kind == SITE_ENTRY)
            return false;
    }
    return true;
}

static void on_access(void *context, const struct flow *flow, const struct flow_state *state,
                      const struct flow_access *access)
{
    struct summary *summary = ((struct collector *)context)->summary;
    if (!escapes_callee(access->place) || on_its_own(flow, state))
        return;
    summary->cost++;
    bool walk =
        (walks(flow, access->place) && !residency_moves_on(flow, access->place, access->bytes)) ||
        (access->inner && access->inner->walk);
    for (guint i = 0; i < summary->accesses->len; i++) {
        struct summary_access *old = &g_array_index(summary->accesses, struct summary_access, i);
        if (old->place == access->place && old->write == access->write) {
            old->walk |= walk;
            old->bytes = MAX(old->bytes, access->bytes);
            old->length = old->length == access->length ? old->length : NULL;
            return;
        }
    }
    if (summary->accesses->len == SUMMARY_ACCESSES) {
        summary->truncated = true;
        return;
    }
    const struct ir_location *location =
        access->inner ? &access->inner->location : &access->instruction->location;
    struct summary_access added = {
        access->place, access->write,
        walk,          access->kind == FLOW_COPY || (access->inner && access->inner->copy),
        access->bytes, access->length,
        *location,     access->inner ? access->inner->function : flow->function->name};
    g_array_append_val(summary->accesses, added);
}

static void add_effects(struct summary *summary, const struct flow_state *state, unsigned effects,
                        const char *witness, struct ir_location at)
{
    struct summary_deed deed = {.witness = witness, .at = at, .when = summary_when_of(state)};
    summary->effects |= effects;
    for (; effects; effects &= effects - 1) {
        deed.effect = effects & -effects;
        summary_add_deed(summary->deeds, &deed);
    }
}

static bool recursive_call(const struct flow *flow, const struct flow_call *call)
{
    const struct analysis *analysis = flow->analysis;
    const struct summary *callee =
        g_hash_table_lookup(analysis->summaries[analysis->deep], call->function);
    return callee && callee->running;
}

// `release_entry(cache, entry, needs_locking)`: what the caller passes decides.
static bool is_told(const struct flow_state *state)
{
    for (unsigned i = 0; i < flow_map_size(&state->tests); i++) {
        const struct symbol *value = flow_map_at(&state->tests, i)->key->a;
        if (!value || value->kind != SYMBOL_LOAD || value->a->kind != SYMBOL_VARIABLE)
            continue;
        const struct ir_variable *variable = value->a->what;
        if (variable->kind == IR_BASE_PARAM && !variable->type.is_pointer)
            return true;
    }
    return false;
}

// What is logged on the way out of the process, or to who catches the error, is not what there is
// to say about it.
static bool ends_before_it_matters(const struct flow_call *call, const struct summary_deed *deed)
{
    return call->no_return && deed->effect && !(deed->effect & (MODEL_EXITS | MODEL_MAY_ERROR));
}

// What the callee's own callees do is told of them.
static void add_inner_deeds(struct summary *summary, struct flow *flow,
                            const struct flow_state *state, const struct flow_call *call)
{
    bool told = is_told(state);
    for (guint i = 0; i < call->summary->deeds->len; i++) {
        const struct summary_deed *inner =
            &g_array_index(call->summary->deeds, struct summary_deed, i);
        if (!summary_when_possible(flow, state, call, &inner->when))
            continue;
        struct summary_deed deed = summary_deed_of_call(flow, state, call, inner);
        if (takes_back(state, deed.place) || ends_before_it_matters(call, &deed))
            continue;
        deed.if_told |= told;
        summary->effects |= deed.effect;
        summary_add_deed(summary->deeds, &deed);
    }
}

static void on_call(void *context, const struct flow *flow, const struct flow_state *state,
                    const struct flow_call *call)
{
    struct summary *summary = ((struct collector *)context)->summary;
    const char *name = call->instruction->callee;
    if (on_its_own(flow, state) || flow_call_crashes(call))
        return;
    summary->cost += 2;
    if (call->no_return && !flow_call_exits(call))
        add_effects(summary, state, MODEL_MAY_ERROR, name, call->instruction->location);
    if (call->instruction->indirect && !call->summary) {
        summary->indirect = summary->indirect ? summary->indirect : name;
    } else if (call->model) {
        add_effects(summary, state, call->effects & ~(unsigned)(MODEL_PURE | MODEL_NO_RETURN), name,
                    call->instruction->location);
    } else if (call->summary) {
        const struct summary *inner = call->summary;
        add_inner_deeds(summary, (struct flow *)flow, state, call);
        summary->unknown = summary->unknown ? summary->unknown : inner->unknown;
        summary->indirect = summary->indirect ? summary->indirect : inner->indirect;
        summary->cost += inner->cost;
    } else if (call->function && recursive_call(flow, call)) {
        ((struct collector *)context)->recursive = true;
    } else if (!call->function && !call->too_far) {
        summary->unknown = summary->unknown ? summary->unknown : name;
    }
}

static void on_acquire(void *context, const struct flow *flow, const struct flow_state *state,
                       const struct flow_site *site, const struct symbol *place)
{
    struct summary *summary = ((struct collector *)context)->summary;
    if (on_its_own(flow, state) || takes_back(state, place))
        return;
    g_autofree char *lock = symbol_lock_text(place);
    struct summary_deed deed = {.place = place,
                                .lock = g_intern_string(lock),
                                .op = site->op,
                                .when = summary_when_of(state),
                                .if_told = is_told(state)};
    if (site->instruction)
        deed.at = site->instruction->location;
    summary_add_deed(summary->deeds, &deed);
}

static bool same_set(const GPtrArray *a, const GPtrArray *b)
{
    if (a->len != b->len)
        return false;
    for (guint i = 0; i < a->len; i++) {
        if (!symbol_same_place(a->pdata[i], b->pdata[i]))
            return false;
    }
    return true;
}

void summary_outcome_clear(struct summary_outcome *outcome)
{
    g_clear_pointer(&outcome->taken, g_ptr_array_unref);
    g_clear_pointer(&outcome->ops, g_ptr_array_unref);
    g_clear_pointer(&outcome->dropped, g_ptr_array_unref);
    g_clear_pointer(&outcome->dropped_ops, g_ptr_array_unref);
    g_clear_pointer(&outcome->taken_at, g_array_unref);
    g_clear_pointer(&outcome->dropped_at, g_array_unref);
}

static GArray *locations_new(void)
{
    return g_array_new(FALSE, FALSE, sizeof(struct ir_location));
}

static struct ir_location released_at(const struct flow *flow, const struct flow_state *state,
                                      const struct symbol *place)
{
    const struct flow_entry *entry = flow_map_find(&state->released, place, 0);
    struct ir_location at = {.file = flow->function->location.file};
    at.line = entry ? (unsigned)entry->flags : flow->function->location.line;
    return at;
}

// The locks at a return, against those on entry.
static struct summary_outcome outcome_of(const struct flow *flow, const struct flow_state *state,
                                         const struct symbol *value)
{
    struct summary_outcome outcome = {.taken = g_ptr_array_new(),
                                      .ops = g_ptr_array_new(),
                                      .dropped = g_ptr_array_new(),
                                      .dropped_ops = g_ptr_array_new(),
                                      .taken_at = locations_new(),
                                      .dropped_at = locations_new(),
                                      .zero = true,
                                      .nonzero = true,
                                      .sure = !state->blurred,
                                      .value = value};
    for (guint i = 0; i < flow->entry_sites->len; i++) {
        const struct flow_site *site = flow->entry_sites->pdata[i];
        bool held = false;
        for (unsigned k = 0; k < state->n_locks; k++)
            held = held || state->locks[k].site == site;
        if (held)
            continue;
        struct ir_location at = released_at(flow, state, site->place);
        g_ptr_array_add(outcome.dropped, (gpointer)site->place);
        g_ptr_array_add(outcome.dropped_ops, (gpointer)site->op);
        g_array_append_val(outcome.dropped_at, at);
    }
    for (unsigned k = 0; k < state->n_locks; k++) {
        const struct flow_lock *lock = &state->locks[k];
        if (lock->site->kind == SITE_ENTRY || lock->stale || symbol_on_stack(lock->place))
            continue;
        outcome.sure = outcome.sure && !lock->maybe;
        g_ptr_array_add(outcome.taken, (gpointer)lock->place);
        g_ptr_array_add(outcome.ops, (gpointer)lock->site->op);
        struct ir_location at = flow_site_location(lock->site);
        g_array_append_val(outcome.taken_at, at);
    }
    outcome.when = summary_when_of(state);
    if (!value)
        return outcome;
    const struct symbol *test = symbol_make(flow->analysis->table, SYMBOL_TEST, value,
                                            symbol_const(flow->analysis->table, 0), IR_EQ, NULL);
    bool zero = false;
    if (flow_known(state, test, &zero)) {
        outcome.zero = zero;
        outcome.nonzero = !zero;
    }
    return outcome;
}

static void add_outcome(struct summary *summary, struct summary_outcome *outcome)
{
    for (unsigned i = 0; i < summary->n_outcomes; i++) {
        struct summary_outcome *old = &summary->outcomes[i];
        if (!same_set(old->taken, outcome->taken) || !same_set(old->dropped, outcome->dropped))
            continue;
        old->zero |= outcome->zero;
        old->nonzero |= outcome->nonzero;
        old->sure &= outcome->sure;
        summary_when_meet(&old->when, &outcome->when);
        if (old->value != outcome->value)
            old->value = NULL;
        summary_outcome_clear(outcome);
        return;
    }
    if (summary->n_outcomes == SUMMARY_OUTCOMES) {
        summary->confused = true;
        summary_outcome_clear(outcome);
        return;
    }
    summary->outcomes[summary->n_outcomes++] = *outcome;
}

static void on_leave(void *context, const struct flow *flow, const struct flow_state *state,
                     const struct ir_block *block, const struct symbol *value)
{
    (void)block;
    struct collector *collector = context;
    struct summary *summary = collector->summary;
    if (collector->first_return)
        flow_map_copy(&summary->touched, &state->touched);
    else
        flow_meet_touches(&summary->touched, &state->touched);
    collector->first_return = false;
    summary->returns = true;
    struct summary_outcome outcome = outcome_of(flow, state, value);
    add_outcome(summary, &outcome);
}

// ---- Locks the function is entered with: those it releases without having taken them.

// Taken here and still held, and of the same object or as global as the released one: that one was
// mistaken for it.
static bool is_mistake(const struct flow_state *state, const struct symbol *place)
{
    const struct symbol *root = symbol_root(place);
    for (unsigned i = 0; i < state->n_locks; i++) {
        const struct symbol *held = symbol_root(state->locks[i].place);
        if (state->locks[i].site->kind != SITE_ENTRY && !state->locks[i].stale &&
            (held == root || (held->kind == SYMBOL_VARIABLE && root->kind == SYMBOL_VARIABLE)))
            return true;
    }
    return false;
}

static void on_release(void *context, const struct flow *flow, const struct flow_state *state,
                       const struct ir_instruction *instruction, const struct symbol *place,
                       int lock, bool exact)
{
    GArray *unmatched = context; // struct flow_entry_lock: released without being held
    (void)exact;
    if (lock >= 0 || symbol_on_stack(place) || flow_map_find(&state->released, place, 0) ||
        is_mistake(state, place))
        return;
    // Named by what the function was given: a parameter or a global.
    const struct symbol *root = symbol_root(place);
    if (root->kind == SYMBOL_DEREF && root->a->kind != SYMBOL_LOAD)
        return;
    for (guint i = 0; i < unmatched->len; i++) {
        if (symbol_same_place(g_array_index(unmatched, struct flow_entry_lock, i).place, place))
            return;
    }
    struct flow_entry_lock added = {place, flow->released_by, instruction};
    g_array_append_val(unmatched, added);
}

// The same release lets go of something else, by elimination: it says nothing about the entry.
static void on_vague_release(void *context, const struct flow *flow, const struct flow_state *state,
                             const struct ir_instruction *instruction, const struct symbol *place,
                             int lock, bool exact)
{
    (void)flow;
    (void)state;
    (void)place;
    GArray *unmatched = context;
    for (guint i = unmatched->len; lock >= 0 && !exact && i-- > 0;) {
        if (g_array_index(unmatched, struct flow_entry_lock, i).release == instruction)
            g_array_remove_index(unmatched, i);
    }
}

static void on_first_acquire(void *context, const struct flow *flow, const struct flow_state *state,
                             const struct flow_site *site, const struct symbol *place)
{
    (void)flow;
    (void)site;
    GArray *unmatched = context;
    // Taken while it is not held and was not released before: it is not held on entry.
    if (flow_find_lock(state, place) >= 0 || takes_back(state, place))
        return;
    for (guint i = unmatched->len; i-- > 0;) {
        if (symbol_same_place(g_array_index(unmatched, struct flow_entry_lock, i).place, place))
            g_array_remove_index(unmatched, i);
    }
}

static GArray *entry_locks_of(struct flow *flow)
{
    GArray *unmatched = g_array_new(FALSE, FALSE, sizeof(struct flow_entry_lock));
    struct flow_listener releases = {.context = unmatched, .release = on_release};
    flow_replay(flow, &releases);
    if (unmatched->len) {
        struct flow_listener again = {.context = unmatched,
                                      .acquire = on_first_acquire,
                                      .release = on_vague_release};
        flow_replay(flow, &again);
    }
    return unmatched;
}

struct flow *summary_flow(struct analysis *analysis, const struct ir_function *function)
{
    struct flow *flow = flow_new(analysis, function, NULL);
    if (!analysis_reaches_lock(analysis, function))
        return flow;
    g_autoptr(GArray) entry = entry_locks_of(flow);
    if (entry->len == 0)
        return flow;
    flow_free(flow);
    return flow_new(analysis, function, entry);
}

static bool has_model_lock(const struct analysis *analysis, const struct ir_function *function)
{
    return analysis->models && function->name &&
           model_find_lock_op(analysis->models, function->name);
}

// Recursion ends here; what was found before it is not looked for again.
static struct summary *summary_begin(struct analysis *analysis, const struct ir_function *function)
{
    struct summary *summary = g_new0(struct summary, 1);
    summary->function = function;
    summary->running = true;
    summary->judged = !function->from_header || !g_path_is_absolute(function->location.file);
    summary->accesses = g_array_new(FALSE, FALSE, sizeof(struct summary_access));
    summary->deeds = g_array_new(FALSE, FALSE, sizeof(struct summary_deed));
    g_hash_table_insert(analysis->summaries[analysis->deep], (gpointer)function, summary);
    g_ptr_array_add(analysis->owned, summary);
    return summary;
}

static void summarise(struct analysis *analysis, struct summary *summary)
{
    struct flow *flow = summary_flow(analysis, summary->function);
    struct collector collector = {summary, true, false};
    struct flow_listener listener = {.context = &collector,
                                     .access = on_access,
                                     .call = on_call,
                                     .acquire = on_acquire,
                                     .leave = on_leave};
    flow_replay(flow, &listener);
    summary_fold_rounds(summary, flow);
    flow_free(flow);
    // Going down a tree is a walk as going along a list is.
    for (guint i = 0; collector.recursive && i < summary->accesses->len; i++)
        g_array_index(summary->accesses, struct summary_access, i).walk = true;
}

const struct summary *summary_of(struct analysis *analysis, const struct ir_function *function)
{
    struct summary *summary = g_hash_table_lookup(analysis->summaries[analysis->deep], function);
    if (!summary) {
        // One that does not differ, finished.
        struct summary *other = g_hash_table_lookup(analysis->summaries[!analysis->deep], function);
        summary = other && !other->running && !other->deepens ? other : NULL;
    }
    if (summary) {
        analysis->deepens |= summary->deepens;
        return summary->running ? NULL : summary;
    }
    if (analysis->depth >= FLOW_CALL_DEPTH || has_model_lock(analysis, function))
        return NULL;
    summary = summary_begin(analysis, function);
    bool deepens = analysis->deepens;
    analysis->deepens = false;
    analysis->depth++;
    summarise(analysis, summary);
    analysis->depth--;
    summary->deepens = analysis->deepens;
    analysis->deepens = deepens || summary->deepens;
    summary->running = false;
    return summary;
}

void summary_free(struct summary *summary)
{
    if (!summary)
        return;
    g_array_unref(summary->accesses);
    g_array_unref(summary->deeds);
    flow_map_clear(&summary->touched);
    for (unsigned i = 0; i < summary->n_outcomes; i++)
        summary_outcome_clear(&summary->outcomes[i]);
    g_free(summary);
}
