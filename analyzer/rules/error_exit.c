// The function is left by longjmp or the process ends, and nobody releases the lock.
#include "rules.h"

static void check(struct rule_context *context, const struct section *section)
{
    report_calls(context, section, CALL_NO_RETURN, SEVERITY_HIGH, "does not return",
                 "release the lock before raising the error");
    // Threads die with their process; in shared memory the lock stays taken.
    report_calls(context, section, CALL_CRASHES, SEVERITY_LOW, "ends the process",
                 "check before taking the lock, or after releasing it");
    report_calls(context, section, CALL_MAY_ERROR, SEVERITY_MEDIUM, "may leave by an error",
                 "move the call out of the section, or make sure that the error cannot happen");
}

const struct rule rule_error_exit = {
    .name = "error-exit",
    .summary = "an error leaves the function while a spinlock is held",
    .help = rule_error_exit_page,
    .section = check,
};
