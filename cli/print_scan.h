// The callbacks of print_facts for scans. Their context is the FILE to write to.
#ifndef SPINFAULT_CLI_PRINT_SCAN_H
#define SPINFAULT_CLI_PRINT_SCAN_H

#include "spinfault/base.h"

bool print_section(void *context, const struct section_fact *s, GError **error);
bool print_finding(void *context, const struct finding_fact *f, GError **error);
bool print_file(void *context, const struct file_fact *f, GError **error);
bool print_scan_end(void *context, const struct scan_summary *s, bool ok, GError **error);

#endif
