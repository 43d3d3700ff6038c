// One lock is taken, another one released, and the first stays held.
#include "rules.h"

static void check(struct rule_context *context)
{
    const GArray *strays = context->sections->strays;
    for (guint i = 0; i < strays->len; i++) {
        const struct stray_release *stray = &g_array_index(strays, struct stray_release, i);
        if (!stray->times || stray->released_line || !stray->other || !stray->other->left_held)
            continue;
        g_autofree char *message =
            g_strdup_printf("%s is released, but %s is the lock that is held, and it stays held",
                            stray->lock, stray->other->lock);
        struct rule_finding finding = {.section = stray->other,
                                       .location = stray->instruction->location,
                                       .object = stray->lock,
                                       .severity = SEVERITY_HIGH,
                                       .confidence = stray->other->releases->len
                                                         ? CONFIDENCE_LOW
                                                         : CONFIDENCE_MEDIUM,
                                       .message = message,
                                       .suggestion = "release the lock that was taken"};
        finding.steps[finding.n_steps++] =
            (struct rule_step){finding.location, "another lock is released"};
        rule_report(context, &finding);
    }
}

const struct rule rule_wrong_lock_released = {
    .name = "wrong-lock-released",
    .summary = "another lock is released than the one that is held",
    .help = rule_wrong_lock_released_page,
    .function = check,
};
