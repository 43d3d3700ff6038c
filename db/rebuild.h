// What is derived from the facts, made again.
#ifndef SPINFAULT_DB_REBUILD_H
#define SPINFAULT_DB_REBUILD_H

#include "handle.h"

// Fills profile_function, which must be empty. In a transaction.
bool rebuild_profile_functions(struct archive *archive, GError **error);

#endif
