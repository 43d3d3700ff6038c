// An allocator takes locks of its own, makes system calls and returns pages that are not mapped.
#include "rules.h"

static void check(struct rule_context *context, const struct section *section)
{
    report_calls(
        context, section, CALL_ALLOCATES, rule_by_scope(section, SEVERITY_HIGH, SEVERITY_MEDIUM),
        "allocates memory",
        "allocate before taking the lock, and free what was not needed after releasing it");
    report_calls(context, section, CALL_FREES, SEVERITY_MEDIUM, "frees memory",
                 "take the object out under the lock, and free it after releasing it");
}

const struct rule rule_alloc = {
    .name = "alloc",
    .summary = "memory is allocated or freed while a spinlock is held",
    .help = rule_alloc_page,
    .section = check,
};
