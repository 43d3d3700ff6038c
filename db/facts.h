// Scan facts that outlive their callback: copies on the heap, which the holder frees.
#ifndef SPINFAULT_DB_FACTS_H
#define SPINFAULT_DB_FACTS_H

#include "spinfault/base.h"

struct section_fact *section_fact_copy(const struct section_fact *fact);
void section_fact_free(gpointer fact);
struct finding_fact *finding_fact_copy(const struct finding_fact *fact);
void finding_fact_free(gpointer fact);
struct file_fact *file_fact_copy(const struct file_fact *fact);
void file_fact_free(gpointer fact);

#endif
