// Locks that are only ever tried: nobody spins while they are held, so what takes long under them
// keeps nobody waiting.
#ifndef SPINFAULT_ANALYZER_SCAN_TRIED_H
#define SPINFAULT_ANALYZER_SCAN_TRIED_H

#include <glib.h>
#include <stdbool.h>

struct finding_fact;

// Makes low what is only bad for those who spin: findings (struct finding_fact*) about a lock there
// is one of, which no section (struct section_fact*) waits for. The sections are those of the whole
// tree.
void tried_lower(const GPtrArray *sections, const GPtrArray *findings);

// Wrong whoever waits: it says that a lock is not handled as it must be.
bool tried_is_misuse(const struct finding_fact *finding);

#endif
