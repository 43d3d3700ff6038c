// What is derived from the facts, made again.
#ifndef SPINFAULT_DB_REBUILD_H
#define SPINFAULT_DB_REBUILD_H

#include "handle.h"

// Fills profile_function for the profiles with higher numbers than `after`, of which it has no
// rows. In a transaction.
bool rebuild_profile_functions(struct archive *archive, int64_t after, GError **error);

#endif
