// Results go to standard output or to a file, which is written whole or not at all.
#ifndef SPINFAULT_REPORT_OUTPUT_H
#define SPINFAULT_REPORT_OUTPUT_H

#include <glib.h>
#include <stdbool.h>

// `path` "-" or NULL: standard output. Errors: IO.
bool output_write(const char *path, const char *data, size_t len, GError **error);

#endif
