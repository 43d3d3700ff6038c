// What SQLite says, as a sentence a user can act on.
#include "handle.h"

#include <string.h>

// A row of what to say; `detail` NULL: SQLite's own words.
static const struct {
    int result; // primary code
    enum spinfault_error code;
    const char *detail;
} meanings[] = {
    {SQLITE_BUSY, SPINFAULT_ERROR_BUSY,
     "another process is writing to it; try again when that is done"},
    {SQLITE_LOCKED, SPINFAULT_ERROR_BUSY,
     "another part of this process is writing to it; try again when that is done"},
    {SQLITE_FULL, SPINFAULT_ERROR_IO, "no space left on the disk"},
    {SQLITE_NOTADB, SPINFAULT_ERROR_DAMAGED,
     "it is not an SQLite file, or it is encrypted; name another archive"},
    {SQLITE_CORRUPT, SPINFAULT_ERROR_DAMAGED,
     "it is damaged; \"spinfault archive verify\" says what is"},
    {SQLITE_READONLY, SPINFAULT_ERROR_IO, "the file or its folder is read-only"},
    {SQLITE_PERM, SPINFAULT_ERROR_IO, "permission denied"},
    {SQLITE_TOOBIG, SPINFAULT_ERROR_LIMIT, "a value is larger than SQLite takes"},
    {SQLITE_CONSTRAINT, SPINFAULT_ERROR_DAMAGED, NULL},
};

bool archive_failed(struct archive *archive, const char *action, GError **error)
{
    int result = sqlite3_errcode(archive->db) & 0xff;
    enum spinfault_error code = SPINFAULT_ERROR_IO;
    const char *detail = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(meanings); i++) {
        if (meanings[i].result != result)
            continue;
        code = meanings[i].code;
        detail = meanings[i].detail;
    }
    if (!detail)
        detail = archive->db ? sqlite3_errmsg(archive->db) : "out of memory";
    int number = archive->db ? sqlite3_system_errno(archive->db) : 0;
    bool system = number && (result == SQLITE_IOERR || result == SQLITE_CANTOPEN);
    return error_set(error, code, "cannot %s %s: %s%s%s", action, archive->path, detail,
                     system ? ": " : "", system ? g_strerror(number) : "");
}
