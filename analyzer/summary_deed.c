// See summary_deed.h.
#include "summary_deed.h"

#include <string.h>

#include "flow.h"

// ---- When.

// In terms of what the caller passed and of memory as it was on entry.
static bool is_loaded(const struct symbol *value)
{
    return value->kind == SYMBOL_LOAD || (value->kind == SYMBOL_BITS && is_loaded(value->a));
}

static bool speaks_of_entry(const struct symbol *test)
{
    return test->a && test->b && test->roots == 0 && (is_loaded(test->a) || is_loaded(test->b));
}

static void add_told(struct summary_when *when, const struct symbol *test, bool truth)
{
    for (unsigned i = 0; i < when->n; i++) {
        if (when->told[i].test == test)
            return;
    }
    if (when->n < SUMMARY_TOLD)
        when->told[when->n++] = (struct summary_told){test, truth};
}

struct summary_when summary_when_of(const struct flow_state *state)
{
    struct summary_when when = {.n = 0};
    for (unsigned i = 0; i < flow_map_size(&state->given); i++) {
        const struct flow_entry *entry = flow_map_at(&state->given, i);
        add_told(&when, entry->key, (entry->flags & TEST_TRUE) != 0);
    }
    for (unsigned i = 0; i < flow_map_size(&state->tests); i++) {
        const struct flow_entry *entry = flow_map_at(&state->tests, i);
        if (speaks_of_entry(entry->key))
            add_told(&when, entry->key, (entry->flags & TEST_TRUE) != 0);
    }
    return when;
}

static bool holds(const struct summary_when *when, const struct summary_told *told)
{
    for (unsigned i = 0; i < when->n; i++) {
        if (when->told[i].test == told->test && when->told[i].truth == told->truth)
            return true;
    }
    return false;
}

void summary_when_meet(struct summary_when *when, const struct summary_when *other)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < when->n; i++) {
        if (holds(other, &when->told[i]))
            when->told[kept++] = when->told[i];
    }
    when->n = kept;
}

// Does `narrow` imply `wide`?
static bool implies(const struct summary_when *narrow, const struct summary_when *wide)
{
    for (unsigned i = 0; i < wide->n; i++) {
        if (!holds(narrow, &wide->told[i]))
            return false;
    }
    return true;
}

static const struct symbol *told_here(struct flow *flow, const struct flow_state *state,
                                      const struct flow_call *call, const struct symbol *test)
{
    const struct ir_instruction *in = call->instruction;
    const struct symbol *a = summary_instance(flow, state, in, call->arguments, test->a);
    const struct symbol *b = summary_instance(flow, state, in, call->arguments, test->b);
    if (!a || !b)
        return NULL;
    return symbol_make(flow->analysis->table, SYMBOL_TEST, a, b, test->number, NULL);
}

bool summary_when_possible(struct flow *flow, const struct flow_state *state,
                           const struct flow_call *call, const struct summary_when *when)
{
    for (unsigned i = 0; i < when->n; i++) {
        const struct symbol *test = told_here(flow, state, call, when->told[i].test);
        bool truth;
        if (test && flow_known_of_lock(state, test, &truth) && truth != when->told[i].truth)
            return false;
    }
    return true;
}

void summary_when_assume(struct flow *flow, struct flow_state *state, const struct flow_call *call,
                         const struct summary_when *when)
{
    for (unsigned i = 0; i < when->n; i++) {
        const struct symbol *test = told_here(flow, state, call, when->told[i].test);
        bool truth;
        if (test && !flow_known(state, test, &truth))
            flow_assume(state, test, when->told[i].truth, TEST_PINNED | TEST_OF_LOCK);
    }
}

// ---- Deeds.

int summary_deed_doubt(const struct summary_deed *deed)
{
    return !deed->pointer ? 0 : deed->not_all ? 2 : 1;
}

static bool same_deed(const struct summary_deed *a, const struct summary_deed *b)
{
    if (a->effect != b->effect || summary_deed_doubt(a) != summary_deed_doubt(b))
        return false;
    if (a->effect)
        return true;
    return a->place && b->place ? symbol_same_place(a->place, b->place)
                                : !a->place && !b->place && strcmp(a->lock, b->lock) == 0;
}

void summary_add_deed(GArray *deeds, const struct summary_deed *deed)
{
    struct summary_deed *last = NULL;
    unsigned ways = 0, locks = 0;
    for (guint i = 0; i < deeds->len; i++) {
        struct summary_deed *old = &g_array_index(deeds, struct summary_deed, i);
        locks += !old->effect;
        if (!same_deed(old, deed))
            continue;
        if (implies(&deed->when, &old->when) && old->if_told <= deed->if_told)
            return;
        ways++;
        last = old;
    }
    if (ways == SUMMARY_WAYS) {
        summary_when_meet(&last->when, &deed->when);
        last->if_told &= deed->if_told;
    } else if (deed->effect || locks < SUMMARY_LOCKS) {
        g_array_append_val(deeds, *deed);
    }
}

const struct symbol *summary_lock_of_call(struct flow *flow, const struct flow_state *state,
                                          const struct flow_call *call,
                                          const struct summary_deed *deed)
{
    const struct symbol *place =
        summary_instance(flow, state, call->instruction, call->arguments, deed->place);
    return place && symbol_is_place(place) ? place : NULL;
}

struct summary_deed summary_deed_of_call(struct flow *flow, const struct flow_state *state,
                                         const struct flow_call *call,
                                         const struct summary_deed *deed)
{
    struct summary_deed ours = *deed;
    ours.when = summary_when_of(state);
    if (deed->place)
        ours.place = summary_lock_of_call(flow, state, call, deed);
    for (unsigned i = 0; i < deed->when.n; i++) {
        const struct symbol *test = told_here(flow, state, call, deed->when.told[i].test);
        bool truth;
        if (test && !flow_known(state, test, &truth) && speaks_of_entry(test))
            add_told(&ours.when, test, deed->when.told[i].truth);
    }
    return ours;
}
