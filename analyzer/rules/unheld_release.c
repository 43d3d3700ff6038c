// Released on a path that did not take it, while other paths to the same release did.
#include "rules.h"

static void check(struct rule_context *context)
{
    const GArray *strays = context->sections->strays;
    for (guint i = 0; i < strays->len; i++) {
        const struct stray_release *stray = &g_array_index(strays, struct stray_release, i);
        // Never held at all is a function whose caller took the lock; released before is
        // double-release; another lock held instead is wrong-lock-released.
        if (!stray->times || !stray->matched || stray->released_line || stray->other ||
            stray->vague)
            continue;
        g_autofree char *message =
            g_strdup_printf("%s is released here, but not every way here has taken it",
                            stray->lock);
        struct rule_finding finding = {.location = stray->instruction->location,
                                       .lock = stray->lock,
                                       .object = stray->lock,
                                       .severity = SEVERITY_MEDIUM,
                                       .confidence = CONFIDENCE_MEDIUM,
                                       .message = message,
                                       .suggestion =
                                           "take it on every way, or release under the same "
                                           "condition"};
        finding.steps[finding.n_steps++] =
            (struct rule_step){finding.location, "released without having been taken"};
        rule_report(context, &finding);
    }
}

const struct rule rule_unheld_release = {
    .name = "unheld-release",
    .summary = "a spinlock is released on a path that did not take it",
    .help = rule_unheld_release_page,
    .function = check,
};
