// A system call takes hundreds of cycles at best and is a point where the kernel may preempt.
#include "rules.h"

static void check(struct rule_context *context, const struct section *section)
{
    report_calls(context, section, CALL_SYSCALL,
                 rule_by_scope(section, SEVERITY_HIGH, SEVERITY_MEDIUM), "makes a system call",
                 "note under the lock what is to be done, release it, then make the call");
}

const struct rule rule_syscall = {
    .name = "syscall",
    .summary = "a system call while a spinlock is held",
    .help = rule_syscall_page,
    .section = check,
};
