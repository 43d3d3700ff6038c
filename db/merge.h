// Another archive becomes part of this one.
#ifndef SPINFAULT_DB_MERGE_H
#define SPINFAULT_DB_MERGE_H

#include "handle.h"

// Stores the sources and scans of the archive at `path` that are not here yet, all of them or, when
// it fails, none. `counts` is filled when it succeeds. Errors: those of opening `path`; USAGE when
// it is this archive itself; DAMAGED when archive_verify() would find something in it.
bool merge_archive(struct archive *into, const char *path, struct archive_import_counts *counts,
                   GError **error);

#endif
