// The rules, in the order in which findings of one line are reported. A row is the symbol that the
// rule's file defines.
#ifndef SPINFAULT_ANALYZER_RULES_H
#define SPINFAULT_ANALYZER_RULES_H

#include "rule.h"

#define RULES(X)                                                                                   \
    X(rule_fault_under_lock)                                                                       \
    X(rule_lock_leak)                                                                              \
    X(rule_double_acquire)                                                                         \
    X(rule_double_release)                                                                         \
    X(rule_unheld_release)                                                                         \
    X(rule_wrong_lock_released)                                                                    \
    X(rule_error_exit)                                                                             \
    X(rule_blocking)                                                                               \
    X(rule_syscall)                                                                                \
    X(rule_alloc)                                                                                  \
    X(rule_log)                                                                                    \
    X(rule_bulk_copy)                                                                              \
    X(rule_loop)                                                                                   \
    X(rule_nested_lock)                                                                            \
    X(rule_indirect_call)                                                                          \
    X(rule_unknown_call)                                                                           \
    X(rule_long_section)                                                                           \
    X(rule_plt_first_call)

#define DECLARE_RULE(symbol) extern const struct rule symbol;
RULES(DECLARE_RULE)
#undef DECLARE_RULE

// The pages of docs/rules.
#define DECLARE_PAGE(symbol) extern const char symbol##_page[];
RULES(DECLARE_PAGE)
#undef DECLARE_PAGE

// The rule a call belongs to: the worst thing it does, said once. In order of this enumeration.
enum call_trouble {
    CALL_FINE,
    CALL_CRASHES,
    CALL_FREES,
    CALL_COMPLAINS,
    CALL_LOGS,
    CALL_ALLOCATES,
    CALL_SYSCALL,
    CALL_BLOCKS,
    CALL_MAY_ERROR,
    CALL_NO_RETURN,
};
// The function that does it when that is not the callee itself, and where that is called.
struct call_witness {
    const char *name; // or NULL
    struct ir_location at;
    bool perhaps; // a pointer leads there, and perhaps elsewhere
};
enum call_trouble call_trouble(const struct section_call *call, struct call_witness *witness);
// The same; an exit does no harm to a lock that ends with the process.
enum call_trouble call_trouble_in(const struct section *section, const struct section_call *call,
                                  struct call_witness *witness);
// Reports every call of the section whose trouble is `trouble`; `format` has the callee and, in
// parentheses, through whom.
void report_calls(struct rule_context *context, const struct section *section,
                  enum call_trouble trouble, enum severity severity, const char *what,
                  const char *suggestion);

#endif
