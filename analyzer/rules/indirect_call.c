// A call through a pointer under a lock: what runs is decided elsewhere.
#include "call_targets.h"
#include "rules.h"

#define CANDIDATES_SHOWN 4u

static char *candidates(const struct call_targets *targets)
{
    GString *names = g_string_new(NULL);
    for (guint i = 0; targets && i < targets->names->len; i++) {
        if (i == CANDIDATES_SHOWN) {
            g_string_append(names, ", …");
            break;
        }
        g_string_append_printf(names, "%s%s()", i ? ", " : "",
                               (const char *)targets->names->pdata[i]);
    }
    return g_string_free(names, FALSE);
}

// There is but one function that it can be: what that does is reported as of any other.
static bool is_known(const struct section_call *call)
{
    return call->targets && call->targets->complete && call->targets->names->len == 1;
}

static void check(struct rule_context *context, const struct section *section)
{
    for (guint i = 0; i < section->calls->len; i++) {
        const struct section_call *call = &g_array_index(section->calls, struct section_call, i);
        bool direct = !call->instruction->indirect || is_known(call);
        const char *inner = direct && call->summary ? call->summary->indirect : NULL;
        if (direct && !inner)
            continue;
        struct rule_finding finding = rule_finding_of_call(section, call);
        const char *name = inner ? inner : call->instruction->callee;
        g_autofree char *known = inner ? g_strdup("") : candidates(call->targets);
        g_autofree char *message =
            g_strdup_printf("call through the pointer %s while %s is held%s%s", name, section->lock,
                            *known ? "; it may be " : "", known);
        finding.object = name;
        finding.severity = rule_by_scope(section, SEVERITY_MEDIUM, SEVERITY_LOW);
        finding.confidence = *known ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW;
        finding.message = message;
        finding.suggestion = "call back after releasing the lock, with a copy of what it needs";
        finding.steps[finding.n_steps++] =
            (struct rule_step){finding.location, "calls through a pointer"};
        rule_report(context, &finding);
    }
}

const struct rule rule_indirect_call = {
    .name = "indirect-call",
    .summary = "a call through a function pointer while a spinlock is held",
    .help = rule_indirect_call_page,
    .section = check,
};
