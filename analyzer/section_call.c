// See section_call.h.
#include "section_call.h"

#include "call_targets.h"

static enum call_effect effect_of_bits(unsigned bits)
{
    if (bits & MODEL_BLOCKS)
        return EFFECT_BLOCKS;
    if (bits & MODEL_SYSCALL)
        return EFFECT_SYSCALL;
    if (bits & MODEL_ALLOCATES)
        return EFFECT_ALLOCATES;
    if (bits & (MODEL_LOGS | MODEL_COMPLAINS))
        return EFFECT_LOGS;
    return EFFECT_PURE;
}

unsigned section_call_effects(const struct section_call *call)
{
    unsigned effects = call->summary ? 0 : call->effects;
    for (unsigned bit = 0; bit < MODEL_EFFECTS; bit++) {
        if (call->deeds[bit] && summary_deed_doubt(call->deeds[bit]) < 2)
            effects |= 1u << bit;
    }
    return effects;
}

static enum call_effect effect_of(const struct section_call *call)
{
    if (call->no_return)
        return EFFECT_NO_RETURN;
    if (call->instruction->indirect && !(call->targets && call->targets->complete))
        return EFFECT_UNKNOWN;
    if (call->model) {
        enum call_effect effect = effect_of_bits(call->effects);
        bool touches = call->model->reads_arg >= 0 || call->model->writes_arg >= 0;
        return effect == EFFECT_PURE && touches ? EFFECT_TOUCHES : effect;
    }
    if (!call->summary)
        return EFFECT_UNKNOWN;
    enum call_effect effect = effect_of_bits(section_call_effects(call));
    if (effect != EFFECT_PURE)
        return effect;
    if (call->summary->unknown || call->summary->indirect)
        return EFFECT_UNKNOWN;
    return call->summary->accesses->len ? EFFECT_TOUCHES : EFFECT_PURE;
}

static void add_nested(struct section *section, const struct flow_call *call,
                       const struct summary_deed *deed, const struct symbol *place, bool same)
{
    struct section_nested nested = {.instruction = call->instruction,
                                    .callee = call->instruction->callee,
                                    .op = deed->op,
                                    .lock = place ? symbol_lock_text(place) : g_strdup(deed->lock),
                                    .same = same,
                                    .inner = deed->at};
    g_array_append_val(section->nested, nested);
}

// A callee that gives the caller's lock back and takes it again is no second lock.
static bool gives_back(const struct summary *summary)
{
    for (unsigned i = 0; i < summary->n_outcomes; i++) {
        if (summary->outcomes[i].dropped->len)
            return true;
    }
    return false;
}

// The lock of the section, when that is among those that the callee takes; else the first of them.
static void add_nested_of_call(struct flow *flow, struct section *section,
                               const struct flow_state *state, const struct flow_call *call)
{
    const struct summary_deed *first = NULL;
    const struct symbol *first_place = NULL;
    for (guint i = 0; i < call->summary->deeds->len; i++) {
        const struct summary_deed *deed =
            &g_array_index(call->summary->deeds, struct summary_deed, i);
        if (deed->effect || !summary_when_possible(flow, state, call, &deed->when))
            continue;
        const struct symbol *place =
            deed->place ? summary_lock_of_call(flow, state, call, deed) : NULL;
        bool same = place && symbol_same_place(place, section->place);
        if (same && deed->if_told)
            continue; // it is told not to, or the caller would wait for itself
        if (same && !gives_back(call->summary)) {
            add_nested(section, call, deed, place, true);
            return;
        }
        first_place = first ? first_place : place;
        first = first ? first : deed;
    }
    if (first)
        add_nested(section, call, first, first_place, false);
}

// A callee that lets go of the lock is entered with it, and has a section of its own, where what it
// does before that is told once instead of at each call; unless it can't know that the lock is the
// only one of its kind.
static bool is_told_in_callee(struct flow *flow, const struct section *section,
                              const struct flow_state *state, const struct flow_call *call)
{
    const struct summary *summary = call->summary;
    for (unsigned i = 0; summary->judged && i < summary->n_outcomes; i++) {
        const GPtrArray *dropped = summary->outcomes[i].dropped;
        for (guint k = 0; k < dropped->len; k++) {
            const struct symbol *place = summary_instance(flow, state, call->instruction,
                                                          call->arguments, dropped->pdata[k]);
            bool known = section->scope != SCOPE_SINGLETON || place == dropped->pdata[k];
            if (known && place && symbol_same_place(place, section->place))
                return true;
        }
    }
    return false;
}

// What the callee may do at this call; in another state it may do more.
static void add_deeds_of_call(struct flow *flow, struct section_call *added,
                              const struct flow_state *state, const struct flow_call *call)
{
    for (guint i = 0; i < call->summary->deeds->len; i++) {
        const struct summary_deed *deed =
            &g_array_index(call->summary->deeds, struct summary_deed, i);
        if (!deed->effect || !summary_when_possible(flow, state, call, &deed->when))
            continue;
        unsigned bit = (unsigned)g_bit_nth_lsf(deed->effect, -1);
        const struct summary_deed *old = added->deeds[bit];
        if (!old || summary_deed_doubt(deed) < summary_deed_doubt(old))
            added->deeds[bit] = deed;
    }
}

static struct section_call *call_of(struct section *section, const struct flow_call *call)
{
    for (guint k = 0; k < section->calls->len; k++) {
        struct section_call *old = &g_array_index(section->calls, struct section_call, k);
        if (old->instruction == call->instruction)
            return old;
    }
    return NULL;
}

static struct section_call *add_call(struct section *section, const struct flow_call *call)
{
    struct section_call added = {.instruction = call->instruction,
                                 .effects = call->effects,
                                 .model = call->model,
                                 .function = call->function,
                                 .summary = call->summary,
                                 .targets = call->targets,
                                 .no_return = call->no_return,
                                 .crashes = flow_call_crashes(call)};
    g_array_append_val(section->calls, added);
    return &g_array_index(section->calls, struct section_call, section->calls->len - 1);
}

void section_add_call(const struct function_sections *sections, struct section *section,
                      const struct flow_state *state, const struct flow_call *call)
{
    struct flow *flow = sections->flow;
    struct section_call *known = call_of(section, call);
    struct section_call *added = known ? known : add_call(section, call);
    if (call->summary && call->summary == added->summary &&
        !is_told_in_callee(flow, section, state, call))
        add_deeds_of_call(flow, added, state, call);
    added->effect = effect_of(added);
    if (call->summary && !known)
        add_nested_of_call(flow, section, state, call);
}
