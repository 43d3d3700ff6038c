// Released twice: the second release may let go of somebody else's lock.
#include "rules.h"

static void check(struct rule_context *context)
{
    const GArray *strays = context->sections->strays;
    for (guint i = 0; i < strays->len; i++) {
        const struct stray_release *stray = &g_array_index(strays, struct stray_release, i);
        if (!stray->released_line || !stray->times)
            continue;
        g_autofree char *message =
            g_strdup_printf("%s is released, but was released at line %u already", stray->lock,
                            stray->released_line);
        struct rule_finding finding = {.location = stray->instruction->location,
                                       .lock = stray->lock,
                                       .object = stray->lock,
                                       .severity = SEVERITY_HIGH,
                                       .confidence =
                                           stray->matched ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH,
                                       .message = message,
                                       .suggestion = "release once on every way out"};
        struct ir_location first = finding.location;
        first.line = stray->released_line;
        finding.steps[finding.n_steps++] = (struct rule_step){first, "released"};
        finding.steps[finding.n_steps++] = (struct rule_step){finding.location, "released again"};
        rule_report(context, &finding);
    }
}

const struct rule rule_double_release = {
    .name = "double-release",
    .summary = "a spinlock is released twice",
    .help = rule_double_release_page,
    .function = check,
};
