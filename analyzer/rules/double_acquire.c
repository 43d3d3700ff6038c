// The lock is taken by who holds it: a spinlock waits for itself for ever.
#include "rules.h"

static bool is_shared(const struct model_lock_op *op)
{
    return op && op->mode == MODE_SHARED;
}

static void check(struct rule_context *context, const struct section *section)
{
    for (guint i = 0; i < section->nested->len; i++) {
        const struct section_nested *nested =
            &g_array_index(section->nested, struct section_nested, i);
        if (!nested->same ||
            (nested->op && (nested->op->action == MODEL_TRY || nested->op->recursive)))
            continue;
        g_autofree char *message =
            nested->callee ? g_strdup_printf("%s() takes %s, which is held already", nested->callee,
                                             section->lock)
                           : g_strdup_printf("%s is taken again while it is held", section->lock);
        struct rule_finding finding = {
            .section = section,
            .location = nested->instruction->location,
            .object = section->lock,
            .severity = SEVERITY_HIGH,
            .confidence = nested->callee ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH,
            .message = message,
            .suggestion = "release it first, or split off a function that expects it held"};
        finding.steps[finding.n_steps++] = (struct rule_step){finding.location, "taken again"};
        if (nested->inner.line)
            finding.steps[finding.n_steps++] = (struct rule_step){nested->inner, "takes it"};
        if (is_shared(nested->op) && is_shared(section->site->op)) {
            // A reader waits for itself only when a writer has come in between.
            finding.severity = SEVERITY_MEDIUM;
        }
        if (nested->accounted && nested->instruction == section->site->instruction) {
            // In a loop, past a condition that was not followed: it knows that it holds the lock.
            finding.severity = SEVERITY_LOW;
            finding.confidence = CONFIDENCE_LOW;
        } else if (symbol_on_stack(section->place)) {
            // Nobody but who is given its address can want it: a signal from one to the other.
            finding.severity = SEVERITY_LOW;
            finding.confidence = CONFIDENCE_LOW;
        }
        rule_report(context, &finding);
    }
}

const struct rule rule_double_acquire = {
    .name = "double-acquire",
    .summary = "a spinlock is taken by who holds it already",
    .help = rule_double_acquire_page,
    .section = check,
};
