// Logging formats, allocates and writes: thousands of times what a section should cost.
#include "rules.h"

static void check(struct rule_context *context, const struct section *section)
{
    report_calls(context, section, CALL_LOGS,
                 rule_by_scope(section, SEVERITY_HIGH, SEVERITY_MEDIUM), "writes to the log",
                 "copy what the message needs, release the lock, then log");
    // Not in the usual course of things, but then it takes as long.
    report_calls(context, section, CALL_COMPLAINS,
                 rule_by_scope(section, SEVERITY_MEDIUM, SEVERITY_LOW),
                 "logs an error, or what is logged for debugging only,",
                 "copy what the message needs, release the lock, then log");
}

const struct rule rule_log = {
    .name = "log",
    .summary = "a message is logged while a spinlock is held",
    .help = rule_log_page,
    .section = check,
};
