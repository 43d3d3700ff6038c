// Suppressions inside sources: a comment `spinfault: ok(rule) reason` on the line of a finding, or
// in the comment above it. `ok(a, b)` names several rules, `ok(*)` means every one. A reason is
// asked for; an unused suppression and one of a rule that is not there are noted.
#ifndef SPINFAULT_ANALYZER_SUPPRESS_H
#define SPINFAULT_ANALYZER_SUPPRESS_H

#include "scan_result.h"

struct suppress_file {
    const char *name; // as in finding_fact.file
    const char *text; // the whole; NULL: nothing is known of it
    bool unsure;      // not all of it was understood: an unused suppression may have its use
};

// Sets `suppressed` of the findings (struct finding_fact*) in this file, and appends notes (char*,
// the caller's) in the order of lines.
void suppress_apply(const struct suppress_file *file, const GPtrArray *findings, GPtrArray *notes);

#endif
