// A second lock under the first: waiting for it is time that the first one's waiters spin, too.
#include "rules.h"

static void report(struct rule_context *context, const struct section *section,
                   const struct section_nested *nested)
{
    struct rule_finding finding = {.section = section,
                                   .location = nested->instruction->location,
                                   .object = nested->lock,
                                   .confidence = CONFIDENCE_HIGH,
                                   .severity =
                                       rule_by_scope(section, SEVERITY_MEDIUM, SEVERITY_LOW)};
    bool is_try = nested->op && nested->op->action == MODEL_TRY;
    if (is_try)
        finding.severity = SEVERITY_LOW; // does not wait
    g_autofree char *through = nested->callee ? g_strdup_printf(" by %s()", nested->callee) : NULL;
    g_autofree char *message =
        g_strdup_printf("%s is %s%s while %s is held", nested->lock, is_try ? "tried" : "taken",
                        through ? through : "", section->lock);
    finding.message = message;
    finding.suggestion =
        "take one lock at a time, or write down the order and keep the inner section short";
    finding.steps[finding.n_steps++] =
        (struct rule_step){finding.location, is_try ? "tries another lock" : "takes another lock"};
    if (nested->inner.line)
        finding.steps[finding.n_steps++] =
            (struct rule_step){nested->inner, is_try ? "tries it" : "takes it"};
    rule_report(context, &finding);
}

static void check(struct rule_context *context, const struct section *section)
{
    for (guint i = 0; i < section->nested->len; i++) {
        const struct section_nested *nested =
            &g_array_index(section->nested, struct section_nested, i);
        if (!nested->same)
            report(context, section, nested);
    }
}

const struct rule rule_nested_lock = {
    .name = "nested-lock",
    .summary = "another lock is taken while a spinlock is held",
    .help = rule_nested_lock_page,
    .section = check,
};
