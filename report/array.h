// Arrays for g_autofree. clang's analyzer knows g_new but not the cleanup attribute, and so reports
// a leak wherever the two meet; it does not look through a call into another file.
#ifndef SPINFAULT_REPORT_ARRAY_H
#define SPINFAULT_REPORT_ARRAY_H

#include <stddef.h>

// Zeroed; never NULL, also for n = 0.
void *array_new(size_t n, size_t size);
#define ARRAY_NEW(type, n) ((type *)array_new((n), sizeof(type)))

#endif
