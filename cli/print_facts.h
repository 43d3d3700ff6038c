// The sink that prints: one JSON object a fact and line, as docs/formats.md describes them.
#ifndef SPINFAULT_CLI_PRINT_FACTS_H
#define SPINFAULT_CLI_PRINT_FACTS_H

#include <stdio.h>

#include "spinfault/base.h"

// Prints to `out`, which stays the caller's. Free with print_facts_free().
const struct fact_sink *print_facts_new(FILE *out);
void print_facts_free(const struct fact_sink *sink); // accepts NULL

#endif
