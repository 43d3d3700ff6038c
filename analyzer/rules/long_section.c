// A section that costs much, though nothing in it stands out.
#include "rules.h"

#define SECTION_LONG 200u // cached memory accesses: about what a spinning waiter should wait

static bool explained(const struct scan_result *result, const struct section *section)
{
    for (guint i = 0; i < result->findings->len; i++) {
        const struct finding_fact *finding = result->findings->pdata[i];
        if (finding->acquire_line == section->acquire_line && finding->severity > SEVERITY_LOW &&
            g_strcmp0(finding->function, section->function->name) == 0)
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct section *section)
{
    if (section->cost < SECTION_LONG || section->entered_held ||
        explained(context->result, section))
        return;
    g_autofree char *message =
        g_strdup_printf("the section costs about %u memory accesses, while a spinlock is for some "
                        "tens of them",
                        section->cost);
    struct rule_finding finding = {.section = section,
                                   .location = section_acquire_location(section),
                                   .object = section->lock,
                                   .severity = SEVERITY_LOW,
                                   .confidence = CONFIDENCE_LOW,
                                   .message = message,
                                   .suggestion = "keep under the lock only what it protects"};
    rule_report(context, &finding);
}

const struct rule rule_long_section = {
    .name = "long-section",
    .summary = "a section does more than a spinlock is for",
    .help = rule_long_section_page,
    .section = check,
};
