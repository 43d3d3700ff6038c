// One finding for what a section does several times.
#ifndef SPINFAULT_ANALYZER_SCAN_MERGE_H
#define SPINFAULT_ANALYZER_SCAN_MERGE_H

#include <glib.h>

// Of findings (struct finding_fact*, sorted) that have one fingerprint and are of one section, the
// gravest stays, says how many there are, and has the places of the others on its path. What is
// suppressed stays by itself, so that a comment speaks of its own line only; so does each place
// where a lock is misused, for each is a bug of its own. What is made anew is added to `memory`,
// which frees it by g_free.
void merge_findings(GPtrArray *findings, GPtrArray *memory);

#endif
