// Some ways out of the function release the lock and others keep it.
//
// A function that keeps it on every way takes it for its caller, and one whose result says whether
// it does (a pointer that is not NULL, true, 0 against a negative error) is a way of taking it.
#include <string.h>

#include "rules.h"

static bool holds(const struct function_leave *leave, const struct section *section)
{
    for (guint i = 0; i < leave->held->len; i++) {
        if (leave->held->pdata[i] == section)
            return true;
    }
    return false;
}

// One of its kind: a loop may take it at one place and keep it, and at another let go of it.
static bool holds_like(const struct function_leave *leave, const struct section *section)
{
    for (guint i = 0; i < leave->held->len; i++) {
        const struct section *held = leave->held->pdata[i];
        if (strcmp(held->lock, section->lock) == 0 ||
            (held->site->kind != SITE_ENTRY && held->site->op && section->site->op &&
             g_strcmp0(held->site->op->family, section->site->op->family) == 0))
            return true;
    }
    return false;
}

// What the function returns when it holds the lock, and when it does not.
struct results {
    bool any, zero, nonzero, negative, unknown;
};

static void add_result(struct results *results, const struct function_leave *leave)
{
    results->any = true;
    if (!leave->value || (leave->zero && leave->nonzero))
        results->unknown = true;
    else if (leave->zero)
        results->zero = true;
    else if (leave->constant < 0)
        results->negative = true;
    else
        results->nonzero = true;
}

static bool was_released(const struct function_leave *leave, const struct section *section)
{
    for (unsigned i = 0; i < flow_map_size(&leave->released); i++) {
        const struct symbol *place = flow_map_at(&leave->released, i)->key;
        if (symbol_same_place(place, section->place))
            return true;
        g_autofree char *name = symbol_lock_text(place);
        if (strcmp(name, section->lock) == 0)
            return true;
    }
    return false;
}

// What decided over the lock has one answer on a way that keeps it, another on this one.
static bool was_not_asked(const struct function_leave *leave, const struct function_leave *held)
{
    for (unsigned i = 0; i < flow_map_size(&held->tests); i++) {
        const struct flow_entry *answer = flow_map_at(&held->tests, i);
        if (!(answer->flags & (TEST_OF_LOCK | TEST_PINNED)))
            continue;
        const struct flow_entry *other = flow_map_find(&leave->tests, answer->key, 0);
        if (other && ((other->flags ^ answer->flags) & TEST_TRUE))
            return true;
    }
    return false;
}

// `find(list, lock)`: a way on which the lock was not wanted says nothing about what the others
// owe.
static bool never_took(const struct function_sections *sections, const struct function_leave *leave,
                       const struct section *section)
{
    const GArray *leaves = sections->leaves;
    if (!sections->function->return_type.is_pointer || was_released(leave, section))
        return false;
    for (guint i = 0; i < leaves->len; i++) {
        const struct function_leave *other = &g_array_index(leaves, struct function_leave, i);
        if (holds(other, section) && was_not_asked(leave, other))
            return true;
    }
    return false;
}

// Can the caller tell from the result that the lock was taken for it?
static bool tells_caller(const struct function_sections *sections, const struct section *section,
                         const struct results *held, const struct results *freed)
{
    bool is_try = section->site->kind == SITE_TRY;
    if (held->unknown || freed->unknown)
        return sections->function->return_type.is_pointer && !held->zero && !freed->nonzero &&
               freed->zero && !freed->unknown;
    bool only_zero = held->zero && !held->nonzero && !held->negative;
    bool only_positive = held->nonzero && !held->zero && !held->negative;
    if (only_positive)
        return freed->zero && !freed->nonzero;
    // Who only tries may call it 0 to have got it, and anything else not to.
    return only_zero && !freed->zero && (is_try || (freed->negative && !freed->nonzero));
}

// A result that says that something went wrong: the way on which a release is forgotten.
static bool says_failure(const struct function_sections *sections,
                         const struct function_leave *leave)
{
    if (!leave->value)
        return true; // void: nothing is said at all
    return (!leave->zero && leave->constant < 0) ||
           (leave->zero && !leave->nonzero && sections->function->return_type.is_pointer);
}

// Two kinds of return that what the caller knows cannot tell apart.
static bool may_both_happen(const struct summary_outcome *a, const struct summary_outcome *b)
{
    for (unsigned i = 0; i < a->when.n; i++) {
        for (unsigned k = 0; k < b->when.n; k++) {
            if (a->when.told[i].test == b->when.told[k].test &&
                a->when.told[i].truth != b->when.told[k].truth)
                return false;
        }
    }
    return true;
}

// Does the callee let go of locks on some of its ways only?
static bool releases_at_times(const struct section *section, const struct ir_instruction *call)
{
    const struct summary *summary = NULL;
    for (guint i = 0; i < section->calls->len; i++) {
        const struct section_call *known = &g_array_index(section->calls, struct section_call, i);
        if (known->instruction == call)
            summary = known->summary;
    }
    for (unsigned i = 0; summary && i < summary->n_outcomes; i++) {
        for (unsigned k = 0; k < i; k++) {
            const struct summary_outcome *a = &summary->outcomes[i], *b = &summary->outcomes[k];
            if (a->dropped->len != b->dropped->len && may_both_happen(a, b))
                return true;
        }
    }
    return false;
}

static bool released_by_callees(const struct section *section)
{
    for (guint i = 0; i < section->releases->len; i++) {
        const struct section_release *release =
            &g_array_index(section->releases, struct section_release, i);
        if (!releases_at_times(section, release->instruction))
            return false;
    }
    return true;
}

// Taken by what may fail to take it, as its result says.
static bool is_tried(const struct rule_context *context, const struct section *section)
{
    if (section->site->kind != SITE_CALL)
        return section->site->kind == SITE_TRY;
    struct analysis *analysis = context->sections->analysis;
    const struct ir_function *callee = analysis_find(analysis, section->site->instruction);
    const struct summary *summary = callee ? summary_of(analysis, callee) : NULL;
    for (unsigned i = 0; summary && i < summary->n_outcomes; i++) {
        for (unsigned k = 0; k < i; k++) {
            const struct summary_outcome *a = &summary->outcomes[i], *b = &summary->outcomes[k];
            if (a->taken->len != b->taken->len && may_both_happen(a, b))
                return true;
        }
    }
    return false;
}

static bool takes_locks_by_name(const struct ir_function *function)
{
    return strstr(function->name, "lock") && !strstr(function->name, "unlock");
}

// `guess`: whether the result tells could not be seen.
static void report(struct rule_context *context, const struct section *section,
                   const struct function_leave *leave, bool guess)
{
    struct ir_location location = leave->block->location;
    if (!location.line)
        location = context->sections->function->end;
    g_autofree char *message =
        g_strdup_printf("the function returns with %s held, though other ways release it",
                        section->lock);
    struct rule_finding finding = {.section = section,
                                   .location = location,
                                   .object = section->lock,
                                   .severity = SEVERITY_HIGH,
                                   .message = message,
                                   .suggestion = "release the lock before this return"};
    finding.confidence =
        says_failure(context->sections, leave) ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
    bool in_callee = released_by_callees(section);
    if (in_callee)
        finding.severity = SEVERITY_MEDIUM;
    if (leave->maybe || in_callee)
        finding.confidence = CONFIDENCE_LOW;
    // Taken in the rounds of one loop and released in those of another: that is a guess. So it is
    // whether a result that is not known says that the lock was got. A program that ends needs
    // none.
    if (section->stale || leave->maybe ||
        (is_tried(context, section) &&
         (guess || takes_locks_by_name(context->sections->function))) ||
        strcmp(context->sections->function->name, "main") == 0) {
        finding.severity = SEVERITY_LOW;
        finding.confidence = CONFIDENCE_LOW;
    }
    finding.steps[finding.n_steps++] = (struct rule_step){location, "returns with the lock held"};
    rule_report(context, &finding);
}

// The same failure is told with the lock held and without it, and nothing here ever lets go of it:
// the caller cannot know whether it has to.
static const struct function_leave *keeps_at_failure(const struct function_sections *sections,
                                                     const struct section *section)
{
    const struct function_leave *kept = NULL;
    bool without = false;
    for (guint i = 0; i < sections->leaves->len; i++) {
        const struct function_leave *leave =
            &g_array_index(sections->leaves, struct function_leave, i);
        if (!leave->value || leave->maybe || (leave->zero && leave->nonzero) ||
            !says_failure(sections, leave))
            continue;
        if (holds(leave, section))
            kept = kept ? kept : leave;
        else
            without = true;
    }
    return without ? kept : NULL;
}

static void report_kept(struct rule_context *context, const struct section *section,
                        const struct function_leave *leave)
{
    g_autofree char *message =
        g_strdup_printf("the function returns with %s held, and without it when it fails elsewhere",
                        section->lock);
    struct rule_finding finding = {.section = section,
                                   .location = leave->block->location,
                                   .object = section->lock,
                                   .severity = SEVERITY_HIGH,
                                   .confidence = CONFIDENCE_MEDIUM,
                                   .message = message,
                                   .suggestion = "release the lock before this return"};
    finding.steps[finding.n_steps++] =
        (struct rule_step){finding.location, "returns with the lock held"};
    rule_report(context, &finding);
}

static bool all_exact(const struct section *section)
{
    for (guint i = 0; i < section->releases->len; i++) {
        if (!g_array_index(section->releases, struct section_release, i).exact)
            return false;
    }
    return true;
}

static void check(struct rule_context *context, const struct section *section)
{
    const GArray *leaves = context->sections->leaves;
    if (!section->left_held || section->entered_held)
        return;
    if (section->releases->len == 0) {
        const struct function_leave *kept =
            section->stale || section->maybe ? NULL : keeps_at_failure(context->sections, section);
        if (kept)
            report_kept(context, section, kept);
        return;
    }
    // Released under another name, in other rounds of a loop: nothing can be said.
    if (!all_exact(section))
        return;
    struct results held = {false}, freed = {false};
    const struct function_leave *shown = NULL;
    for (guint i = 0; i < leaves->len; i++) {
        const struct function_leave *leave = &g_array_index(leaves, struct function_leave, i);
        if (!holds_like(leave, section) && never_took(context->sections, leave, section))
            continue;
        add_result(holds_like(leave, section) ? &held : &freed, leave);
        if (holds(leave, section) &&
            (!shown || leave->block->location.line < shown->block->location.line))
            shown = leave;
    }
    if (!shown || !freed.any || tells_caller(context->sections, section, &held, &freed))
        return;
    report(context, section, shown, freed.unknown && !held.unknown && !freed.zero);
}

const struct rule rule_lock_leak = {
    .name = "lock-leak",
    .summary = "a way out of the function keeps a spinlock that other ways release",
    .help = rule_lock_leak_page,
    .section = check,
};
