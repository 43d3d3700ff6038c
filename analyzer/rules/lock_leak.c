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
            (held->site->op && section->site->op &&
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

// Can the caller tell from the result that the lock was taken for it?
static bool tells_caller(const struct function_sections *sections, const struct results *held,
                         const struct results *freed)
{
    if (held->unknown || freed->unknown)
        return sections->function->return_type.is_pointer && !held->zero && !freed->nonzero &&
               freed->zero && !freed->unknown;
    bool only_zero = held->zero && !held->nonzero && !held->negative;
    bool only_positive = held->nonzero && !held->zero && !held->negative;
    if (only_positive)
        return freed->zero && !freed->nonzero;
    return only_zero && freed->negative && !freed->nonzero && !freed->zero;
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

static void report(struct rule_context *context, const struct section *section,
                   const struct function_leave *leave)
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
    if (leave->maybe)
        finding.confidence = CONFIDENCE_LOW;
    if (section->stale) {
        // Taken in the rounds of one loop and released in those of another: that is a guess.
        finding.severity = SEVERITY_LOW;
        finding.confidence = CONFIDENCE_LOW;
    }
    finding.steps[finding.n_steps++] = (struct rule_step){location, "returns with the lock held"};
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
    if (!section->left_held || section->releases->len == 0 || section->entered_held)
        return;
    // Released under another name, in other rounds of a loop: nothing can be said.
    if (!all_exact(section))
        return;
    struct results held = {false}, freed = {false};
    const struct function_leave *shown = NULL;
    for (guint i = 0; i < leaves->len; i++) {
        const struct function_leave *leave = &g_array_index(leaves, struct function_leave, i);
        add_result(holds_like(leave, section) ? &held : &freed, leave);
        if (holds(leave, section) &&
            (!shown || leave->block->location.line < shown->block->location.line))
            shown = leave;
    }
    if (!shown || !freed.any || tells_caller(context->sections, &held, &freed))
        return;
    report(context, section, shown);
}

const struct rule rule_lock_leak = {
    .name = "lock-leak",
    .summary = "a way out of the function keeps a spinlock that other ways release",
    .help = rule_lock_leak_page,
    .section = check,
};
