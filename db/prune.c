// Deleting, with a way back.
#include "handle.h"

#include "query.h"
#include "unused.h"

#include <glib/gstdio.h>

// One statement for each row asked for; `what` is for the message when it is not there.
static bool delete_each(struct archive *archive, const char *sql, const int64_t *ids, size_t n,
                        const char *what, GError **error)
{
    for (size_t i = 0; i < n; i++) {
        struct query q;
        query_begin(&q, archive, sql);
        query_int(&q, ids[i]);
        if (!query_run(&q, error))
            return false;
        if (what && sqlite3_changes(archive->db) == 0)
            return error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                             "%s has no %s %" G_GINT64_FORMAT "; nothing was deleted",
                             archive->path, what, ids[i]);
    }
    return true;
}

static bool delete_all(struct archive *archive, const int64_t *sources, size_t n_sources,
                       const int64_t *scans, size_t n_scans, GError **error)
{
    // Samples first: the references of threads and profiles to them then find nothing to look at.
    return delete_each(archive, "DELETE FROM sample WHERE source_id = ?", sources, n_sources, NULL,
                       error) &&
           delete_each(archive, "DELETE FROM source WHERE id = ?", sources, n_sources, "source",
                       error) &&
           delete_each(archive, "DELETE FROM scan WHERE id = ?", scans, n_scans, "scan", error);
}

// Names that only the deleted used go, and their space goes back to the disk. When that can't be
// done (another writer, no room for a copy), it stays in the file for what comes next: what was
// asked for is deleted all the same.
static void give_back(struct archive *archive)
{
    sqlite3_exec(archive->db, "PRAGMA foreign_keys = OFF", NULL, NULL, NULL);
    if (archive_begin(archive, NULL) &&
        !(unused_delete(archive, NULL) && archive_commit(archive, NULL)))
        archive_rollback(archive);
    sqlite3_exec(archive->db, "PRAGMA foreign_keys = ON", NULL, NULL, NULL);
    sqlite3_exec(archive->db, "VACUUM", NULL, NULL, NULL);
}

bool archive_prune(struct archive *archive, const int64_t *sources, size_t n_sources,
                   const int64_t *scans, size_t n_scans, const char *backup, GError **error)
{
    if (!archive_backup(archive, backup, error))
        return false;
    if (!archive_begin(archive, error) ||
        !delete_all(archive, sources, n_sources, scans, n_scans, error)) {
        archive_rollback(archive);
        g_unlink(backup);
        return false;
    }
    if (!archive_commit(archive, error))
        return false;
    give_back(archive);
    return true;
}
