// A call through a pointer under a lock: what runs is decided elsewhere.
#include <string.h>

#include "rules.h"

#define CANDIDATES_SHOWN 4u

// Functions that are stored in a field of that name, or in that variable.
static char *candidates(const struct analysis *analysis, const struct ir_instruction *call)
{
    const struct ir_path *path = &call->target.path;
    const char *field = NULL, *variable = NULL;
    if (call->target.kind == IR_VALUE_LOAD && path->n_steps &&
        path->steps[path->n_steps - 1].kind == IR_STEP_FIELD)
        field = path->steps[path->n_steps - 1].field;
    else if (call->target.kind == IR_VALUE_LOAD && path->variable)
        variable = path->variable->usr;
    GString *names = g_string_new(NULL);
    unsigned n = 0;
    for (guint i = 0; i < analysis->unit->function_uses->len; i++) {
        const struct ir_function_use *use = analysis->unit->function_uses->pdata[i];
        bool match = (field && g_strcmp0(use->field, field) == 0) ||
                     (variable && g_strcmp0(use->variable_usr, variable) == 0);
        if (!match || !use->function_name || strstr(names->str, use->function_name))
            continue;
        if (n == CANDIDATES_SHOWN) {
            g_string_append(names, ", …");
            break;
        }
        g_string_append_printf(names, "%s%s()", n++ ? ", " : "", use->function_name);
    }
    return g_string_free(names, FALSE);
}

static void check(struct rule_context *context, const struct section *section)
{
    for (guint i = 0; i < section->calls->len; i++) {
        const struct section_call *call = &g_array_index(section->calls, struct section_call, i);
        const char *inner = call->summary ? call->summary->indirect : NULL;
        if (!call->instruction->indirect && !inner)
            continue;
        struct rule_finding finding = rule_finding_of_call(section, call);
        const char *name = inner ? inner : call->instruction->callee;
        g_autofree char *known =
            inner ? g_strdup("") : candidates(context->sections->analysis, call->instruction);
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
