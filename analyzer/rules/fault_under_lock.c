// Memory that may not be mapped is touched under the lock: the rule this program exists for.
//
// Accesses to one object are one finding, named by the worst of them: what lies on one page faults
// once. How bad it is: the risk of a fault (residency.h) by who waits for the lock.
#include <string.h>

#include "rules.h"

static bool is_candidate(const struct section_access *access)
{
    return access->residency.residency == RESIDENCY_MAY_FAULT && access->residency.risk > RISK_NONE;
}

static bool is_other_page(const struct section_access *access)
{
    return access->residency.why == WHY_OTHER_PAGE;
}

static const char *field_record(const struct symbol *place)
{
    return place->step && place->step->type_name ? place->step->type_name : "";
}

// What a walk goes along: the variable or parameter that its pointers come from.
static const struct symbol *walked(const struct symbol *place)
{
    for (;;) {
        const struct symbol *root = symbol_root(place);
        if (root->kind != SYMBOL_DEREF || root->a->kind != SYMBOL_LOAD)
            return root;
        place = root->a->a;
    }
}

// A walk over objects is one finding, however many of them it touches on its way: that of one loop,
// or that of one callee.
static bool same_walk(const struct section_access *a, const struct section_access *b)
{
    if (a->residency.why != WHY_WALK || b->residency.why != WHY_WALK || !a->inner != !b->inner)
        return false;
    return a->inner ? a->instruction == b->instruction : walked(a->place) == walked(b->place);
}

// The call in this function that the memory came from, or came out of; NULL: none.
static const struct ir_instruction *allocation_of(const struct section_access *access)
{
    const struct symbol *root = symbol_root(access->place);
    const struct symbol *pointer = root->kind == SYMBOL_DEREF ? root->a : root;
    bool is_fresh = access->residency.why == WHY_FRESH_HEAP;
    bool is_result = pointer->kind == SYMBOL_INSTANCE || pointer->kind == SYMBOL_RESULT;
    return is_fresh && is_result ? pointer->what : NULL;
}

// Then the allocation is what there is to say, and the rule about those says it.
static bool allocated_here(const struct section *section, const struct section_access *access)
{
    const struct ir_instruction *allocation = allocation_of(access);
    for (guint i = 0; allocation && i < section->calls->len; i++) {
        if (g_array_index(section->calls, struct section_call, i).instruction == allocation)
            return true;
    }
    return false;
}

static bool is_followed(const struct section_access *access)
{
    return access->inner && (access->residency.why == WHY_WALK ||
                             (access->residency.why == WHY_POINTER && access->residency.chased));
}

// A call that follows pointers from object to object, as the removal of a node from a tree does, is
// one finding.
static bool same_chase(const struct section_access *a, const struct section_access *b)
{
    return a->instruction == b->instruction && is_followed(a) && is_followed(b);
}

// Do two accesses hit the same page, or the same kind of object in the same way?
static bool same_object(const struct section_access *a, const struct section_access *b)
{
    if (same_walk(a, b) || same_chase(a, b))
        return true;
    if (allocation_of(a) && allocation_of(a) == allocation_of(b))
        return true;
    if (is_other_page(a) != is_other_page(b))
        return false;
    if (is_other_page(a))
        return symbol_root(a->place) == symbol_root(b->place);
    const struct symbol *x = symbol_range(a->place, 1).region;
    const struct symbol *y = symbol_range(b->place, 1).region;
    if (x == y || strcmp(a->object, b->object) == 0)
        return true;
    // Elements of one array.
    const struct symbol *i = symbol_runtime_index(a->place), *k = symbol_runtime_index(b->place);
    return i && k && i->a == k->a && i->what == k->what &&
           strcmp(field_record(i), field_record(k)) == 0;
}

static enum severity severity_of(const struct section *section, const struct section_access *access)
{
    const struct residency_answer *residency = &access->residency;
    bool all = section->scope == SCOPE_SINGLETON;
    if (allocated_here(section, access))
        return all ? SEVERITY_MEDIUM : SEVERITY_LOW;
    switch (residency->risk) {
    case RISK_NONE:
        return SEVERITY_NONE;
    case RISK_SLIGHT:
        return all ? SEVERITY_LOW : SEVERITY_NONE;
    case RISK_REAL:
        if (residency->why == WHY_OTHER_PAGE)
            return all ? SEVERITY_MEDIUM : SEVERITY_LOW;
        // An array that is filled: only where it comes to a new page, and a private one is
        // mapped in no time.
        if (residency->why == WHY_FRESH_HEAP)
            return all ? SEVERITY_MEDIUM : SEVERITY_LOW;
        // An object that leaves a shared list: nobody here need have seen it.
        return all || access->popped ? SEVERITY_HIGH : SEVERITY_MEDIUM;
    case RISK_CERTAIN:
        if (residency->why == WHY_WALK)
            return SEVERITY_HIGH;
        return all ? SEVERITY_HIGH : SEVERITY_MEDIUM;
    }
    return SEVERITY_NONE;
}

static const char *reason_of(const struct section_access *access)
{
    switch (access->residency.why) {
    case WHY_RUN_TIME_INDEX:
        return "which element it is is decided at run time, and this process may never have "
               "touched its page";
    case WHY_POINTER:
        if (access->popped)
            return "it is taken off a list, so this process need not have seen it before";
        return access->residency.chased
                   ? "the pointer is read under the lock, so what it points to need not be mapped"
                   : "what the pointer points to need not be mapped";
    case WHY_OTHER_PAGE:
        return "it belongs to the lock's object but may lie on another page than the lock";
    case WHY_WALK:
        return "a loop walks from object to object, and each may be on a page of its own";
    case WHY_FRESH_HEAP:
        if (access->residency.risk < RISK_CERTAIN)
            return "the array was just allocated, and each of its pages is touched here first";
        return "the memory was just allocated, and nobody has touched it";
    case WHY_FRESH_MAPPING:
        return "shared memory is unmapped in each process until it is touched there";
    case WHY_GLOBAL:
        if (symbol_on_stack(access->place))
            return "the stack is mapped page by page, when it is first used that deep";
        return "it is part of a big object that this path has not touched";
    case WHY_COPY:
    case WHY_NONE:
        break;
    }
    return "its page need not be mapped";
}

static const char *suggestion_of(const struct section_access *access)
{
    switch (access->residency.why) {
    case WHY_OTHER_PAGE:
        return "move the field next to the lock, or touch it before taking the lock";
    case WHY_WALK:
        return "walk a copy, or bound the walk; huge pages make the faults rarer";
    case WHY_FRESH_HEAP:
    case WHY_FRESH_MAPPING:
        return "write to it before taking the lock";
    default:
        return "touch it before taking the lock and check under the lock that it is still the "
               "one; huge pages make the faults rarer, prefaulting helps only in this process";
    }
}

static char *message_of(const struct section *section, const struct section_access *access,
                        unsigned more)
{
    GString *text = g_string_new(access->write ? "write to " : "read of ");
    g_string_append(text, access->object);
    g_autofree char *spelled = access->spelled ? symbol_text(access->spelled) : NULL;
    if (spelled && strcmp(spelled, access->object) != 0)
        g_string_append_printf(text, " (%s)", spelled);
    if (access->inner)
        g_string_append_printf(text, " in %s()", access->inner->function);
    if (more)
        g_string_append_printf(text,
                               is_followed(access) ? " and %u more that the call comes to"
                                                   : " and %u more on the same object",
                               more);
    g_string_append_printf(text, " may fault while %s is held: %s", section->lock,
                           reason_of(access));
    if (access->residency.pages_4k > 1) {
        g_autofree char *pages = text_with_commas(access->residency.pages_4k);
        g_string_append_printf(text, " (%s pages of 4K)", pages);
    }
    return g_string_free(text, FALSE);
}

static void report(struct rule_context *context, const struct section *section,
                   const struct section_access *access, enum severity severity, unsigned more)
{
    const char *how = access->write ? "write to" : "read of";
    g_autofree char *message = message_of(section, access, more);
    g_autofree char *what = g_strdup_printf("%s %s may fault", how, access->object);
    g_autofree char *call = NULL;
    struct rule_finding finding = {.section = section,
                                   .location = access->location,
                                   .object = access->object,
                                   .severity = severity,
                                   .message = message,
                                   .suggestion = suggestion_of(access)};
    finding.confidence = access->residency.risk == RISK_CERTAIN ? CONFIDENCE_HIGH
                         : access->residency.risk == RISK_REAL  ? CONFIDENCE_MEDIUM
                                                                : CONFIDENCE_LOW;
    if (severity == SEVERITY_HIGH && finding.confidence == CONFIDENCE_MEDIUM &&
        (access->popped || access->residency.why == WHY_RUN_TIME_INDEX))
        finding.confidence = CONFIDENCE_HIGH;
    rule_add_steps(&finding, access, what, &call);
    rule_report(context, &finding);
}

static void check(struct rule_context *context, const struct section *section)
{
    guint n = section->accesses->len;
    const struct section_access *accesses =
        n ? &g_array_index(section->accesses, struct section_access, 0) : NULL;
    g_autofree guint8 *seen = g_new0(guint8, MAX(n, 1));
    for (guint i = 0; i < n; i++) {
        if (seen[i] || !is_candidate(&accesses[i]))
            continue;
        const struct section_access *worst = &accesses[i];
        unsigned more = 0;
        for (guint k = i + 1; k < n; k++) {
            if (seen[k] || !is_candidate(&accesses[k]) || !same_object(&accesses[i], &accesses[k]))
                continue;
            seen[k] = 1;
            more += strcmp(accesses[k].object, accesses[i].object) != 0;
            if (severity_of(section, &accesses[k]) > severity_of(section, worst))
                worst = &accesses[k];
        }
        enum severity severity = severity_of(section, worst);
        if (severity != SEVERITY_NONE)
            report(context, section, worst, severity, more);
    }
}

const struct rule rule_fault_under_lock = {
    .name = "fault-under-lock",
    .summary = "memory that may not be mapped is touched under a spinlock",
    .help = rule_fault_under_lock_page,
    .section = check,
};
