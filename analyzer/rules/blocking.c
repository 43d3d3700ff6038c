// A holder that sleeps makes every waiter spin until it is woken and scheduled again.
#include "rules.h"

static void check(struct rule_context *context, const struct section *section)
{
    report_calls(context, section, CALL_BLOCKS,
                 rule_by_scope(section, SEVERITY_HIGH, SEVERITY_HIGH), "may sleep",
                 "release the lock before waiting, and check again after taking it");
}

const struct rule rule_blocking = {
    .name = "blocking",
    .summary = "a call that may sleep while a spinlock is held",
    .help = rule_blocking_page,
    .section = check,
};
