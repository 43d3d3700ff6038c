// What the analysis answers to __spinfault_debug_held() and __spinfault_debug_residency(place) in a
// test case: locks, or the residency of a place, one text for each kind of state that gets there.
#ifndef SPINFAULT_ANALYZER_SECTION_DEBUG_H
#define SPINFAULT_ANALYZER_SECTION_DEBUG_H

#include "section.h"

// The listener's callback; `context` is a struct function_sections.
void section_on_debug(void *context, const struct flow *flow, const struct flow_state *state,
                      const struct ir_instruction *instruction, const struct symbol *value);
// In an order that does not depend on that of the states.
void section_debug_sort(struct function_sections *sections);

#endif
