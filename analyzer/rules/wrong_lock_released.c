// One lock is taken, another one released, and the first stays held; or the lock is released as if
// it were held in another mode, by a reader's release of what a writer has taken.
#include <string.h>

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

static void report_mode(struct rule_context *context, const struct section *section,
                        const struct section_release *release)
{
    bool shared = release->modes == 1u << HELD_BY_READER;
    g_autofree char *message =
        g_strdup_printf("%s is released by %s(), as if it were held by a %s, but a %s holds it",
                        section->lock, release->instruction->lock_op->name,
                        shared ? "writer" : "reader", shared ? "reader" : "writer");
    struct rule_finding finding = {.section = section,
                                   .location = release->instruction->location,
                                   .object = section->lock,
                                   .severity = SEVERITY_HIGH,
                                   .confidence = CONFIDENCE_MEDIUM,
                                   .message = message,
                                   .suggestion = "release it in the mode it was taken in"};
    rule_report(context, &finding);
}

static void check_modes(struct rule_context *context, const struct section *section)
{
    const struct model_lock_op *op = section->site->op;
    if (!op || section->entered_held || section->maybe || section->stale)
        return;
    for (guint i = 0; i < section->releases->len; i++) {
        const struct section_release *release =
            &g_array_index(section->releases, struct section_release, i);
        const struct model_lock_op *by =
            release->instruction->op == IR_LOCK_OP ? release->instruction->lock_op : NULL;
        if (release->exact && by && by->mode_given && strcmp(by->family, op->family) == 0 &&
            release->modes == 1u << (by->mode == MODE_SHARED ? HELD_BY_WRITER : HELD_BY_READER))
            report_mode(context, section, release);
    }
}

const struct rule rule_wrong_lock_released = {
    .name = "wrong-lock-released",
    .summary = "another lock is released than the one that is held",
    .help = rule_wrong_lock_released_page,
    .section = check_modes,
    .function = check,
};
