// See section.h. A listener on the replay of a flow; states that see the same instruction are
// merged, and the worst residency of an access wins.
#include "section.h"

#include "call_targets.h"
#include "entry_facts.h"
#include "section_call.h"
#include "section_debug.h"
#include "section_judge.h"

#include <string.h>

static void access_clear(gpointer data)
{
    g_free(((struct section_access *)data)->object);
}

static void nested_clear(gpointer data)
{
    g_free(((struct section_nested *)data)->lock);
}

static void leave_clear(gpointer data)
{
    struct function_leave *leave = data;
    g_ptr_array_unref(leave->held);
    flow_map_clear(&leave->tests);
    flow_map_clear(&leave->released);
}

static void stray_clear(gpointer data)
{
    g_free(((struct stray_release *)data)->lock);
}

static void debug_clear(gpointer data)
{
    g_ptr_array_unref(((struct debug_answer *)data)->texts);
}

static GArray *array_of(size_t size, GDestroyNotify clear)
{
    GArray *array = g_array_new(FALSE, TRUE, (guint)size);
    if (clear)
        g_array_set_clear_func(array, clear);
    return array;
}

static void section_free(gpointer data)
{
    struct section *section = data;
    g_free(section->lock);
    g_free(section->api);
    g_array_unref(section->accesses);
    g_array_unref(section->calls);
    g_array_unref(section->nested);
    g_array_unref(section->releases);
    g_array_unref(section->loops);
    g_free(section);
}

void sections_free(struct function_sections *sections)
{
    if (!sections)
        return;
    g_ptr_array_unref(sections->sections);
    g_array_unref(sections->leaves);
    g_array_unref(sections->strays);
    g_array_unref(sections->debug);
    flow_free(sections->flow);
    g_free(sections);
}

struct ir_location section_acquire_location(const struct section *section)
{
    return section->site->instruction ? section->site->instruction->location
                                      : section->function->location;
}

// ---- Finding or making the section of a lock that is held.

static void find_section_loops(const struct flow *flow, struct section *section)
{
    const struct ir_block *home =
        section->site->instruction ? flow_block_of(flow, section->site->instruction) : NULL;
    for (guint i = 0; i < flow->loops->len; i++) {
        struct flow_loop *loop = flow->loops->pdata[i];
        if (!home || !flow_loop_holds(loop, home))
            g_array_append_val(section->loops, loop);
    }
}

static void name_section(struct section *section)
{
    const struct flow_site *site = section->site;
    const struct model_lock_op *op = site->op;
    if (site->kind == SITE_CALL)
        section->api = g_strdup(site->instruction->callee);
    else
        section->api = g_strdup(op && site->kind != SITE_ENTRY ? op->name : "");
    section->model = op ? op->model : "";
    section->mode = site->kind == SITE_TRY ? MODE_TRY : op ? op->mode : MODE_EXCLUSIVE;
    section->entered_held = site->kind == SITE_ENTRY;
}

static struct section *section_of(struct function_sections *sections, const struct flow_site *site,
                                  const struct symbol *place)
{
    for (guint i = 0; i < sections->sections->len; i++) {
        struct section *section = sections->sections->pdata[i];
        if (section->site == site)
            return section;
    }
    struct section *section = g_new0(struct section, 1);
    section->function = sections->function;
    section->site = site;
    section->place = place;
    section->lock = symbol_lock_text(place);
    section->scope =
        residency_scope(sections->analysis,
                        entry_facts_apply(sections->analysis, sections->function, place));
    section->accesses = array_of(sizeof(struct section_access), access_clear);
    section->calls = array_of(sizeof(struct section_call), NULL);
    section->nested = array_of(sizeof(struct section_nested), nested_clear);
    section->releases = array_of(sizeof(struct section_release), NULL);
    section->loops = array_of(sizeof(struct flow_loop *), NULL);
    name_section(section);
    section->acquire_line = section_acquire_location(section).line;
    find_section_loops(sections->flow, section);
    g_ptr_array_add(sections->sections, section);
    return section;
}

// ---- Accesses.

static bool loop_runs_here(const struct section *section, const struct flow *flow,
                           const struct symbol *place)
{
    for (guint i = 0; i < section->loops->len; i++) {
        const struct flow_loop *loop = g_array_index(section->loops, struct flow_loop *, i);
        if (flow_loop_holds(loop, flow->block) && flow_varies(flow, loop, place))
            return true;
    }
    return false;
}

static bool is_worse(const struct residency_answer *a, const struct residency_answer *b)
{
    if (a->risk != b->risk)
        return a->risk > b->risk;
    return (a->residency == RESIDENCY_MAY_FAULT) > (b->residency == RESIDENCY_MAY_FAULT);
}

static guint first_of_last(const GArray *accesses, const struct ir_instruction *instruction)
{
    guint first = accesses->len;
    while (first > 0 &&
           g_array_index(accesses, struct section_access, first - 1).instruction == instruction)
        first--;
    return first;
}

static void add_access(struct section *section, const struct flow *flow,
                       const struct flow_state *state, const struct flow_access *access)
{
    bool walk =
        (access->inner && access->inner->walk) || loop_runs_here(section, flow, access->place);
    struct residency_query query = {flow, state, access->place, access->bytes, access->write, walk};
    struct section_access added = {.instruction = access->instruction,
                                   .location = access->instruction->location,
                                   .place = access->place,
                                   .spelled = access->spelled,
                                   .write = access->write,
                                   .walk = walk,
                                   .copy = access->kind == FLOW_COPY ||
                                           (access->inner && access->inner->copy),
                                   .bytes = access->bytes,
                                   .residency = residency_of(&query),
                                   .inner = access->inner};
    // Each instruction is replayed once, in all states: what it did is the end of the list.
    for (guint i = first_of_last(section->accesses, added.instruction); i < section->accesses->len;
         i++) {
        struct section_access *old = &g_array_index(section->accesses, struct section_access, i);
        if (old->inner != added.inner || old->write != added.write || old->copy != added.copy)
            continue;
        if (access->kind == FLOW_COPY && old->place != added.place)
            continue; // source and destination of one call
        if (is_worse(&added.residency, &old->residency)) {
            g_free(old->object);
            added.object = symbol_text(added.place);
            *old = added;
        }
        return;
    }
    added.object = symbol_text(added.place);
    g_array_append_val(section->accesses, added);
}

static void on_access(void *context, const struct flow *flow, const struct flow_state *state,
                      const struct flow_access *access)
{
    struct function_sections *sections = context;
    for (unsigned i = 0; i < state->n_locks; i++) {
        const struct flow_lock *lock = &state->locks[i];
        struct section *section = section_of(sections, lock->site, lock->place);
        section->stale |= lock->stale;
        section->maybe |= lock->maybe;
        if (!lock->stale)
            add_access(section, flow, state, access);
    }
}

static void on_pop(void *context, const struct flow *flow, const struct flow_state *state,
                   const struct symbol *pointer)
{
    (void)flow;
    struct function_sections *sections = context;
    for (unsigned i = 0; i < state->n_locks; i++) {
        if (state->locks[i].stale)
            continue;
        struct section *section = section_of(sections, state->locks[i].site, state->locks[i].place);
        for (guint k = 0; k < section->accesses->len; k++) {
            struct section_access *access =
                &g_array_index(section->accesses, struct section_access, k);
            const struct symbol *root = symbol_root(access->place);
            if (root->kind == SYMBOL_DEREF && root->a == pointer)
                access->popped = true;
        }
    }
}

// ---- Calls.

static void on_call(void *context, const struct flow *flow, const struct flow_state *state,
                    const struct flow_call *call)
{
    struct function_sections *sections = context;
    (void)flow;
    for (unsigned i = 0; i < state->n_locks; i++) {
        if (!state->locks[i].stale)
            section_add_call(sections,
                             section_of(sections, state->locks[i].site, state->locks[i].place),
                             state, call);
    }
}

// ---- Locks.

static bool is_accounted(const struct flow *flow, const struct flow_state *state)
{
    bool negated = false, truth = false;
    if (!flow->account)
        return false;
    // The table is shared and grows; the flow itself is not changed.
    const struct symbol *test = flow_test((struct flow *)flow, state, flow->account, &negated);
    return flow_known(state, test, &truth) && truth == flow->account_held;
}

static void on_acquire(void *context, const struct flow *flow, const struct flow_state *state,
                       const struct flow_site *site, const struct symbol *place)
{
    struct function_sections *sections = context;
    section_of(sections, site, place);
    if (site->kind == SITE_CALL)
        return; // heard as the callee's nested lock
    for (unsigned i = 0; i < state->n_locks; i++) {
        const struct flow_lock *lock = &state->locks[i];
        struct section *section = section_of(sections, lock->site, lock->place);
        bool same = !lock->stale && symbol_same_place(lock->place, place);
        bool known = lock->site == site && !same; // in another round of a loop
        for (guint k = 0; k < section->nested->len && !known; k++) {
            const struct section_nested *old =
                &g_array_index(section->nested, struct section_nested, k);
            known = old->instruction == site->instruction && old->same == same;
        }
        if (known)
            continue;
        struct section_nested added = {.instruction = site->instruction,
                                       .lock = symbol_lock_text(place),
                                       .op = site->op,
                                       .same = same && !lock->maybe && !state->blurred,
                                       .accounted = same && is_accounted(flow, state)};
        g_array_append_val(section->nested, added);
    }
}

static struct stray_release *stray_of(struct function_sections *sections,
                                      const struct ir_instruction *instruction,
                                      const struct symbol *place)
{
    for (guint i = 0; i < sections->strays->len; i++) {
        struct stray_release *stray = &g_array_index(sections->strays, struct stray_release, i);
        if (stray->instruction == instruction)
            return stray;
    }
    struct stray_release added = {.instruction = instruction,
                                  .place = place,
                                  .lock = symbol_lock_text(place)};
    g_array_append_val(sections->strays, added);
    return &g_array_index(sections->strays, struct stray_release, sections->strays->len - 1);
}

static void add_stray(struct function_sections *sections, const struct flow_state *state,
                      const struct ir_instruction *instruction, const struct symbol *place)
{
    struct stray_release *stray = stray_of(sections, instruction, place);
    if (state->blurred) {
        stray->vague = true; // what decided over the lock is forgotten
        return;
    }
    stray->times++;
    const struct flow_entry *before = flow_map_find(&state->released, place, 0);
    if (before)
        stray->released_line = (unsigned)before->flags;
    if (state->n_locks == 1 && !state->locks[0].stale)
        stray->other = section_of(sections, state->locks[0].site, state->locks[0].place);
}

static void on_release(void *context, const struct flow *flow, const struct flow_state *state,
                       const struct ir_instruction *instruction, const struct symbol *place,
                       int lock, bool exact)
{
    struct function_sections *sections = context;
    if (lock < 0) {
        add_stray(sections, state, instruction, place);
        return;
    }
    struct stray_release *stray = stray_of(sections, instruction, place);
    stray->matched++;
    stray->vague |= !exact;
    const struct flow_lock *held = &state->locks[lock];
    struct section *section = section_of(sections, held->site, held->place);
    section->stale |= held->stale;
    for (guint i = 0; i < section->releases->len; i++) {
        struct section_release *old = &g_array_index(section->releases, struct section_release, i);
        if (old->instruction == instruction) {
            old->exact &= exact;
            old->modes |= 1u << held->mode;
            return;
        }
    }
    struct section_release added = {instruction, exact, 1u << held->mode, flow->released_at};
    g_array_append_val(section->releases, added);
}

static void on_leave(void *context, const struct flow *flow, const struct flow_state *state,
                     const struct ir_block *block, const struct symbol *value)
{
    struct function_sections *sections = context;
    struct function_leave leave = {
        .block = block, .value = value, .zero = true, .nonzero = true, .held = g_ptr_array_new()};
    if (value) {
        struct symbol_table *table = flow->analysis->table;
        const struct symbol *test =
            symbol_make(table, SYMBOL_TEST, value, symbol_const(table, 0), IR_EQ, NULL);
        bool zero = false;
        if (flow_known(state, test, &zero)) {
            leave.zero = zero;
            leave.nonzero = !zero;
        }
        leave.constant = value->kind == SYMBOL_CONST ? value->number : 0;
    }
    leave.maybe = state->blurred;
    flow_map_copy(&leave.tests, &state->tests);
    flow_map_copy(&leave.released, &state->released);
    for (unsigned i = 0; i < state->n_locks; i++) {
        const struct flow_lock *lock = &state->locks[i];
        struct section *section = section_of(sections, lock->site, lock->place);
        section->left_held = true;
        section->stale |= lock->stale;
        leave.maybe |= lock->maybe;
        g_ptr_array_add(leave.held, section);
    }
    g_array_append_val(sections->leaves, leave);
}

// ---- The whole function.

static int section_order(gconstpointer a, gconstpointer b)
{
    const struct section *x = *(struct section *const *)a, *y = *(struct section *const *)b;
    if (x->acquire_line != y->acquire_line)
        return x->acquire_line < y->acquire_line ? -1 : 1;
    unsigned m = x->site->instruction ? x->site->instruction->number : 0;
    unsigned n = y->site->instruction ? y->site->instruction->number : 0;
    if (m != n)
        return m < n ? -1 : 1;
    return strcmp(x->lock, y->lock);
}

static int access_order(gconstpointer a, gconstpointer b)
{
    const struct section_access *x = a, *y = b;
    if (x->instruction->number != y->instruction->number)
        return x->instruction->number < y->instruction->number ? -1 : 1;
    int names = strcmp(x->object, y->object);
    return names ? names : (int)x->write - (int)y->write;
}

static int call_order(gconstpointer a, gconstpointer b)
{
    const struct section_call *x = a, *y = b;
    return x->instruction->number < y->instruction->number   ? -1
           : x->instruction->number > y->instruction->number ? 1
                                                             : 0;
}

static int release_order(gconstpointer a, gconstpointer b)
{
    const struct section_release *x = a, *y = b;
    return x->instruction->location.line < y->instruction->location.line   ? -1
           : x->instruction->location.line > y->instruction->location.line ? 1
                                                                           : 0;
}

struct function_sections *sections_collect(struct analysis *analysis,
                                           const struct ir_function *function)
{
    struct function_sections *sections = g_new0(struct function_sections, 1);
    sections->analysis = analysis;
    sections->function = function;
    sections->sections = g_ptr_array_new_with_free_func(section_free);
    sections->leaves = array_of(sizeof(struct function_leave), leave_clear);
    sections->strays = array_of(sizeof(struct stray_release), stray_clear);
    sections->debug = array_of(sizeof(struct debug_answer), debug_clear);
    sections->flow = summary_flow(analysis, function);
    struct flow_listener listener = {sections,   on_access, on_call,  on_acquire,
                                     on_release, on_pop,    on_leave, section_on_debug};
    flow_replay(sections->flow, &listener);
    g_ptr_array_sort(sections->sections, section_order);
    for (guint i = 0; i < sections->sections->len; i++) {
        struct section *section = sections->sections->pdata[i];
        g_array_sort(section->accesses, access_order);
        g_array_sort(section->calls, call_order);
        g_array_sort(section->releases, release_order);
        section->primitive = section_is_primitive(sections, section);
        section->cost = section_estimate(section);
    }
    section_debug_sort(sections);
    // A lock that was released and taken again while the caller held it.
    for (guint i = 0; i < sections->sections->len; i++) {
        const struct section *entry = sections->sections->pdata[i];
        for (guint k = 0; entry->entered_held && k < sections->sections->len; k++) {
            struct section *other = sections->sections->pdata[k];
            other->entered_held |= symbol_same_place(entry->place, other->place);
        }
    }
    return sections;
}
