// Suppressions inside sources: `/* spinfault: ok(rule) reason */` on the line of a finding or on
// the line above. `ok(*)` means every rule. A reason is asked for, and an unused one is noted.
#ifndef SPINFAULT_ANALYZER_SUPPRESS_H
#define SPINFAULT_ANALYZER_SUPPRESS_H

#include "scan_result.h"

// Marks the findings of `result` in `file`, and notes what is unused or has no reason. `text` is
// the file's whole text; may be NULL.
void suppress_apply(struct scan_result *result, const char *file, const char *text);

#endif
