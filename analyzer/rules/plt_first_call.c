// The first call of a function in another shared object binds it: the dynamic linker runs, and
// touches its tables, with the lock held. Later calls do not, so it is worth a word only where
// everybody waits, and where the section calls the library for nothing else that is reported.
#include <string.h>

#include "rules.h"

// Compilers write these out, or may.
static bool is_builtin(const char *name)
{
    static const char *const names[] = {"memcpy",  "memset", "memmove", "memcmp", "strlen",
                                        "strcpy",  "strcmp", "strncpy", "abs",    "labs",
                                        "strncmp", "strchr", "ffs",     "ffsl"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return g_str_has_prefix(name, "__builtin") || g_str_has_prefix(name, "__atomic") ||
           g_str_has_prefix(name, "__sync");
}

static void check(struct rule_context *context, const struct section *section)
{
    if (section->scope != SCOPE_SINGLETON)
        return;
    for (guint i = 0; i < section->calls->len; i++) {
        const struct section_call *call = &g_array_index(section->calls, struct section_call, i);
        struct call_witness witness;
        if (!call->model || strcmp(call->model->model, "libc") != 0 ||
            is_builtin(call->instruction->callee) || call_trouble(call, &witness) != CALL_FINE)
            continue;
        struct rule_finding finding = rule_finding_of_call(section, call);
        g_autofree char *message =
            g_strdup_printf("the first call of %s() in a process may have to be bound by the "
                            "dynamic linker while %s is held",
                            call->instruction->callee, section->lock);
        finding.severity = SEVERITY_LOW;
        finding.confidence = CONFIDENCE_LOW;
        finding.message = message;
        finding.suggestion = "link with -z now, or call it once before";
        finding.steps[finding.n_steps++] =
            (struct rule_step){finding.location, "calls into a shared object"};
        rule_report(context, &finding);
        return;
    }
}

const struct rule rule_plt_first_call = {
    .name = "plt-first-call",
    .summary = "the dynamic linker may have to bind a call under a spinlock",
    .help = rule_plt_first_call_page,
    .section = check,
};
