// Suggestions for mistyped names.
#ifndef SPINFAULT_CLI_NEAREST_H
#define SPINFAULT_CLI_NEAREST_H

#include <stddef.h>

// The name closest to `name` among nth(0), nth(1), … up to NULL; NULL when none is near. What it
// returns is what `nth` returned.
const char *nearest_name(const char *name, const char *(*nth)(size_t i));

#endif
