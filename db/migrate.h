// The schema: making it, and bringing an older archive up to date.
#ifndef SPINFAULT_DB_MIGRATE_H
#define SPINFAULT_DB_MIGRATE_H

#include "handle.h"

#define ARCHIVE_APPLICATION_ID 0x53506661 // "SPfa"
#define ARCHIVE_VERSION        1          // of schema.sql

extern const char schema_sql[], derived_sql[];

// One step to `version` from the version before it. Only one of `sql` and `run` is set.
struct migration {
    int version;
    const char *sql;
    bool (*run)(struct archive *archive, GError **error);
};

// What the file is. Errors: DAMAGED (no archive), NEWER.
enum archive_state { ARCHIVE_EMPTY, ARCHIVE_OLDER, ARCHIVE_CURRENT };
bool archive_inspect(struct archive *archive, enum archive_state *state, GError **error);

// Makes the schema in an empty file or runs the steps that an older one lacks, in one transaction.
bool archive_upgrade(struct archive *archive, GError **error);
// The same with other steps, up to `target`: for tests.
bool archive_upgrade_by(struct archive *archive, const struct migration *steps, size_t n,
                        int target, GError **error);

// Drops and makes the views and tables of derived.sql, and fills them. In a transaction.
bool archive_make_derived(struct archive *archive, GError **error);

#endif
