// Parsing one file and lowering it: what front.c asks of lower*.c, without libclang in sight.
#ifndef SPINFAULT_ANALYZER_LOWER_UNIT_H
#define SPINFAULT_ANALYZER_LOWER_UNIT_H

#include "compdb.h"
#include "ir.h"
#include "lexindex.h"
#include "model.h"

// A file that is given to libclang with other text than the disk's.
struct overlaid_file {
    char *path;
    char *text;
    size_t bytes;
};

struct unit_request {
    const struct compdb_entry *entry;
    const char *root;
    const struct model_set *models;
    const GPtrArray *overlays; // struct overlaid_file*
    // Functions that the text says take a lock; or NULL. Those that are switched
    // off by #if are lowered as well, from a second parse with their branches switched on, and
    // marked as degraded.
    const struct lex_roots *roots;
    // Functions of the file to begin with, NULL-terminated; what they call follows. NULL: all.
    const char *const *functions;
};

// Once, before any thread: sets an environment variable that libclang reads.
void lower_prepare(void);
char *lower_clang_version(void); // the caller's
struct ir_unit *lower_file_unit(const struct unit_request *request);

#endif
