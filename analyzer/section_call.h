// What is called in a section, and what comes of it there.
#ifndef SPINFAULT_ANALYZER_SECTION_CALL_H
#define SPINFAULT_ANALYZER_SECTION_CALL_H

#include "section.h"

// Adds a call in `state`, in which the section's lock is held.
void section_add_call(const struct function_sections *sections, struct section *section,
                      const struct flow_state *state, const struct flow_call *call);

#endif
