// Names, hosts, workloads, metric kinds and environment keys are shared by sources, and so stay
// when one goes. Here those go that nothing refers to.
#ifndef SPINFAULT_DB_UNUSED_H
#define SPINFAULT_DB_UNUSED_H

#include "query.h"

// In a transaction, with foreign keys switched off: they would look through every table without an
// index for each row that goes, and what is deleted here is by its choice referred to by none.
bool unused_delete(struct archive *archive, GError **error);

#endif
