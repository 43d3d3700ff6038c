// From sections to the facts a sink takes.
#ifndef SPINFAULT_ANALYZER_SCAN_FACTS_H
#define SPINFAULT_ANALYZER_SCAN_FACTS_H

#include "front.h"
#include "scan_result.h"
#include "section.h"

// Adds the sections that are for people. `front` reads the excerpts; NULL: none.
void scan_facts_add(struct scan_result *result, const struct function_sections *sections,
                    const struct front *front);

#endif
