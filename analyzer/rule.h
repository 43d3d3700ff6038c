// What a rule works with. To add one: a file in rules/ that defines a `const struct rule`, a row in
// rules/rules.h, and a page in docs/rules. A rule looks at the sections of one function and reports
// findings; it keeps nothing between calls, for functions are looked at from many threads.
#ifndef SPINFAULT_ANALYZER_RULE_H
#define SPINFAULT_ANALYZER_RULE_H

#include "scan_result.h"
#include "section.h"

struct rule_context;

struct rule {
    const char *name;    // "fault-under-lock"
    const char *summary; // one line
    const char *help;    // docs/rules/NAME.md, embedded
    // One of the two, or both.
    void (*section)(struct rule_context *context, const struct section *section);
    void (*function)(struct rule_context *context);
};

struct rule_context {
    const struct rule *rule;
    const struct function_sections *sections;
    struct scan_result *result;
};

#define RULE_STEPS 6u
struct rule_step {
    struct ir_location location;
    const char *what;
};

// Everything is lent to rule_report(), which copies.
struct rule_finding {
    enum severity severity;
    enum confidence confidence;
    const struct section *section; // or NULL
    struct ir_location location;
    const char *lock; // NULL: the section's
    const char *object, *message, *suggestion;
    const char *cause; // what several findings of a section have in common; NULL: the object
    struct rule_step steps[RULE_STEPS]; // between "acquired" and "released", which are added
    unsigned n_steps;
};

void rule_report(struct rule_context *context, const struct rule_finding *finding);

// The higher of the two for a lock that everybody wants.
enum severity rule_by_scope(const struct section *section, enum severity singleton,
                            enum severity other);
// Where the access happens, and by which call it is got to when that is in a callee; `*call` is the
// step's text, to be freed by the caller after the report.
void rule_add_steps(struct rule_finding *finding, const struct section_access *access,
                    const char *what, char **call);
// A finding that a call in a section is about: location, object and the step into it are filled.
struct rule_finding rule_finding_of_call(const struct section *section,
                                         const struct section_call *call);

// All rules over one function, results in the order of rules/rules.h.
void rules_run(const struct function_sections *sections, struct scan_result *result);

#endif
