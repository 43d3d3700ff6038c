// Rebuild and backup.
#include "handle.h"

#include "migrate.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

bool archive_rebuild(struct archive *archive, GError **error)
{
    if (!archive->db)
        return true;
    if (!archive_begin(archive, error))
        return false;
    if (archive_make_derived(archive, error))
        return archive_commit(archive, error);
    archive_rollback(archive);
    return false;
}

static bool copy_pages(struct archive *archive, sqlite3 *to, const char *path, GError **error)
{
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", archive->db, "main");
    if (!backup)
        return error_set(error, SPINFAULT_ERROR_IO, "cannot write %s: %s", path,
                         sqlite3_errmsg(to));
    // All in one step: a reader's view, which no writer waits for in write-ahead mode.
    int rc = sqlite3_backup_step(backup, -1);
    int number = sqlite3_system_errno(to);
    sqlite3_backup_finish(backup);
    if (rc == SQLITE_DONE)
        return true;
    return error_set(error, SPINFAULT_ERROR_IO, "cannot copy %s to %s: %s", archive->path, path,
                     rc == SQLITE_IOERR && number ? g_strerror(number) : sqlite3_errstr(rc));
}

bool archive_backup(struct archive *archive, const char *path, GError **error)
{
    if (!archive->db)
        return error_set(error, SPINFAULT_ERROR_NOT_FOUND, "there is no archive %s to back up",
                         archive->path);
    if (g_file_test(path, G_FILE_TEST_EXISTS) || g_file_test(path, G_FILE_TEST_IS_SYMLINK))
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "%s exists; a backup goes to a file that does not", path);
    // Under another name until it is whole.
    g_autofree char *part = g_strdup_printf("%s.part-%d", path, (int)getpid());
    g_autofree char *full = g_canonicalize_filename(part, NULL);
    sqlite3 *to = NULL;
    if (sqlite3_open_v2(full, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK) {
        error_from_errno(error, sqlite3_system_errno(to), "make", path);
        sqlite3_close(to);
        return false;
    }
    bool ok = copy_pages(archive, to, path, error);
    sqlite3_close(to);
    if (ok && link(part, path) != 0)
        ok = errno == EPERM || errno == EOPNOTSUPP
                 ? g_rename(part, path) == 0 || error_from_errno(error, errno, "make", path)
                 : error_from_errno(error, errno, "make", path);
    g_unlink(part);
    return ok;
}
