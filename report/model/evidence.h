// Run-time evidence: what profiles say about the functions that hold the sections.
#ifndef SPINFAULT_REPORT_EVIDENCE_H
#define SPINFAULT_REPORT_EVIDENCE_H

#include "model/model.h"

struct evidence_index;

// Reads every profile of the archive once, for the functions in `functions` (a set of names): those
// with findings, and those with sections, which tell whether a profile is of this program at all.
// NULL on failure.
struct evidence_index *evidence_read(struct report_model *model, struct archive *archive,
                                     GHashTable *functions, GError **error);
void evidence_free(struct evidence_index *index); // accepts NULL

// What is known of a finding: of its line where profiles have source lines, else of its function.
// All zero, and NO_DATA or NOT_EXERCISED, when the function is in no profile.
struct evidence evidence_of(const struct evidence_index *index, struct report_model *model,
                            const struct finding_fact *fact);

#endif
