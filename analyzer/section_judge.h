// Judgements on a section whose accesses, calls and releases are all known.
#ifndef SPINFAULT_ANALYZER_SECTION_JUDGE_H
#define SPINFAULT_ANALYZER_SECTION_JUDGE_H

#include "section.h"

// All the function does is take the lock for its caller: its callers have the sections.
bool section_is_primitive(const struct function_sections *sections, const struct section *section);
// In units of one cached memory access: what may fault is a thousand of them, a system call some
// hundreds; a loop without a small bound is taken to run ten times.
unsigned section_estimate(const struct section *section);

#endif
