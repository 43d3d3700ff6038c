// A result as text for people or as CSV for `spinfault ingest`.
#ifndef FAULTLOCK_OUTPUT_H
#define FAULTLOCK_OUTPUT_H

#include "run.h"

extern const char *const page_names[];     // by enum page_kind
extern const char *const prefault_names[]; // by enum prefault

void output_csv_header(void);
void output_csv(const struct run_options *options, const struct run_result *result, int repetition);
void output_text(const struct run_options *options, const struct run_result *result);

#endif
