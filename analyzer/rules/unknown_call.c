// A function whose body was not seen and that no model describes.
#include "rules.h"

static const char *unknown_of(const struct section_call *call)
{
    if (call->model || call->no_return)
        return NULL;
    if (call->summary)
        return call->summary->unknown;
    return call->function || call->instruction->indirect ? NULL : call->instruction->callee;
}

static void check(struct rule_context *context, const struct section *section)
{
    for (guint i = 0; i < section->calls->len; i++) {
        const struct section_call *call = &g_array_index(section->calls, struct section_call, i);
        const char *unknown = unknown_of(call);
        if (!unknown)
            continue;
        struct rule_finding finding = rule_finding_of_call(section, call);
        g_autofree char *message =
            g_strdup_printf("nothing is known about %s(), which is called while %s is held",
                            unknown, section->lock);
        finding.object = unknown;
        finding.severity = SEVERITY_LOW;
        finding.confidence = CONFIDENCE_LOW;
        finding.message = message;
        finding.suggestion = "move the call out of the section, or describe it in a model";
        finding.steps[finding.n_steps++] =
            (struct rule_step){finding.location, "calls what was not seen"};
        rule_report(context, &finding);
    }
}

const struct rule rule_unknown_call = {
    .name = "unknown-call",
    .summary = "a function that was not seen is called while a spinlock is held",
    .help = rule_unknown_call_page,
    .section = check,
};
