// The open archive, as the files of db/ see it.
#ifndef SPINFAULT_DB_HANDLE_H
#define SPINFAULT_DB_HANDLE_H

#include "spinfault/db.h"

#include <sqlite3.h>

struct store;

struct archive {
    char *path;
    enum archive_mode mode;
    sqlite3 *db;            // NULL while nothing was ever written to the file
    GHashTable *statements; // SQL literal (by address) -> prepared statement
    struct archive_waiting waiting;
    struct store *store; // behind archive_sink(); made when first asked for
    gint64 wait_start;   // of the wait that is on, monotonic
    bool wait_told;
};

// Makes sure that the file is there, and begins a transaction that other writers wait for.
bool archive_begin(struct archive *archive, GError **error);
bool archive_commit(struct archive *archive, GError **error);
void archive_rollback(struct archive *archive); // also when none was begun

// Runs SQL text that is part of the program (schema, pragmas).
bool archive_execute(struct archive *archive, const char *sql, GError **error);
// The one number a pragma or a count gives.
bool archive_number(struct archive *archive, const char *sql, int64_t *value, GError **error);

// Sets `error` to what SQLite says of its last call, for "cannot ACTION PATH: …". Returns false.
bool archive_failed(struct archive *archive, const char *action, GError **error);

// What ATTACH opens the file of an archive by, to read it. The caller's.
char *archive_attach_name(const struct archive *archive);

// The name of a network file system by what statfs() calls it; NULL for a local one.
const char *archive_network_name(long type);

#endif
