// Plain files of numbers, one a line.
#ifndef SPINFAULT_REPORT_VALUES_H
#define SPINFAULT_REPORT_VALUES_H

#include <glib.h>
#include <stdbool.h>

// Appends the numbers (double) of a file, "-" of standard input. Empty lines and what follows '#'
// are left out. Errors: IO, DAMAGED (with file and line; also for a file without numbers), LIMIT.
bool values_read(const char *path, GArray *values, GError **error);
const char *values_name(const char *path); // "standard input" for "-"

#endif
