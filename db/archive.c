// Opening, transactions, and waiting for other writers.
//
// A reader never creates an archive and never changes one: it opens the file for writing only
// because SQLite's write-ahead log needs its shared index beside it, and sets query_only. A writer
// creates the file at its first write, not when it opens, so that a command that fails before that
// leaves nothing behind. A file without a page or without a schema (a writer was killed while it
// made it) is an archive with nothing in it yet.
#include "handle.h"

#include "migrate.h"
#include "query.h"
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define NOTIFY_US (G_USEC_PER_SEC)

static int on_busy(void *context, int times)
{
    struct archive *a = context;
    gint64 now = g_get_monotonic_time();
    if (times == 0) {
        a->wait_start = now;
        a->wait_told = false;
    }
    gint64 waited = now - a->wait_start;
    if (waited > (gint64)a->waiting.patience_ms * 1000)
        return 0;
    if (waited > NOTIFY_US && !a->wait_told) {
        a->wait_told = true;
        if (a->waiting.notify)
            a->waiting.notify(a->waiting.context, a->path);
    }
    // Waiting writers are not queued; uneven sleeps keep them from asking in step.
    g_usleep(times < 10 ? 1000u * ((unsigned)times + 1)
                        : 10000u + (unsigned)g_random_int_range(0, 15000));
    return 1;
}

bool archive_execute(struct archive *archive, const char *sql, GError **error)
{
    if (sqlite3_exec(archive->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    return archive_failed(archive, archive->mode == ARCHIVE_READ ? "read" : "write", error);
}

bool archive_number(struct archive *archive, const char *sql, int64_t *value, GError **error)
{
    struct query q;
    int64_t number = 0;
    query_begin_text(&q, archive, sql);
    while (query_row(&q))
        number = query_get_int(&q, 0);
    if (!query_end(&q, error))
        return false;
    *value = number;
    return true;
}

// What lies at `path`, before SQLite sees it. `*there` false: nothing yet.
static bool look(const char *path, enum archive_mode mode, bool *there, GError **error)
{
    struct stat st;
    *there = stat(path, &st) == 0;
    if (!*there && errno != ENOENT)
        return error_from_errno(error, errno, "open", path);
    if (!*there) {
        g_autofree char *target = g_file_read_link(path, NULL);
        if (target)
            return error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                             "%s is a symbolic link to %s, which does not exist", path, target);
        if (mode == ARCHIVE_READ)
            return error_set(error, SPINFAULT_ERROR_NOT_FOUND,
                             "there is no archive %s; \"spinfault ingest\" and \"spinfault scan "
                             "--archive\" make one",
                             path);
        g_autofree char *folder = g_path_get_dirname(path);
        if (access(folder, W_OK | X_OK) != 0)
            return error_from_errno(error, errno, "make an archive in", folder);
        return true;
    }
    if (S_ISDIR(st.st_mode))
        return error_set(error, SPINFAULT_ERROR_DAMAGED,
                         "%s is a directory, not an archive; name a file in it", path);
    if (!S_ISREG(st.st_mode))
        return error_set(error, SPINFAULT_ERROR_DAMAGED, "%s is not a regular file", path);
    if (access(path, mode == ARCHIVE_READ ? R_OK : R_OK | W_OK) != 0)
        return error_from_errno(error, errno, mode == ARCHIVE_READ ? "read" : "write", path);
    return true;
}

// SQLite calls an unknown file damaged only when it is asked for a page, and in other words.
static bool look_inside(const char *path, GError **error)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_from_errno(error, errno, "read", path);
    ssize_t got = read(fd, head, sizeof head);
    int number = errno;
    close(fd);
    if (got < 0)
        return error_from_errno(error, number, "read", path);
    if (got > 0 && (got < (ssize_t)sizeof head || memcmp(head, magic, sizeof magic) != 0))
        return error_set(error, SPINFAULT_ERROR_DAMAGED,
                         "%s is not a spinfault archive: it is no SQLite file, or an encrypted one",
                         path);
    return true;
}

const char *archive_network_name(long type)
{
    static const struct {
        unsigned type; // of linux/magic.h and the file systems' own headers
        const char *name;
    } networks[] = {
        {0x6969, "NFS"},    {0x517b, "SMB"},      {0xff534d42, "CIFS"}, {0xfe534d42, "SMB2"},
        {0x01021997, "9P"}, {0x5346414f, "AFS"},  {0x00c36400, "Ceph"}, {0x0bd00bd0, "Lustre"},
        {0x564c, "NCP"},    {0x73757245, "Coda"}, {0x47504653, "GPFS"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(networks); i++)
        if (networks[i].type == (unsigned)type)
            return networks[i].name;
    return NULL;
}

static const char *network_of(const struct archive *a)
{
    struct statfs fs;
    g_autofree char *folder = g_path_get_dirname(a->path);
    return statfs(folder, &fs) == 0 ? archive_network_name((long)fs.f_type) : NULL;
}

char *archive_caution(const struct archive *archive)
{
    const char *name = network_of(archive);
    return name
               ? g_strdup_printf("%s is on a network file system (%s), whose locks may not keep "
                                 "writers on two machines apart; keep it on a local disk and merge "
                                 "archives with \"spinfault archive import\"",
                                 archive->path, name)
               : NULL;
}

// The change to write-ahead logging is the one operation that does not call the busy handler.
// On a network file system the log's shared index does not work between machines.
static bool set_wal(struct archive *a, GError **error)
{
    const char *mode = network_of(a) ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL";
    for (int times = 0;; times++) {
        if (sqlite3_exec(a->db, mode, NULL, NULL, NULL) == SQLITE_OK)
            return true;
        if ((sqlite3_errcode(a->db) & 0xff) != SQLITE_BUSY || !on_busy(a, times))
            return archive_failed(a, "write", error);
    }
}

static bool connect_file(struct archive *a, bool create, GError **error)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI |
                (create ? SQLITE_OPEN_CREATE : 0);
    // URIs are for what is attached: a file whose name begins with "file:" must not become one.
    g_autofree char *path = g_path_is_absolute(a->path) || g_str_has_prefix(a->path, "./")
                                ? g_strdup(a->path)
                                : g_strconcat("./", a->path, NULL);
    int rc = sqlite3_open_v2(path, &a->db, flags, NULL);
    if (rc != SQLITE_OK)
        return archive_failed(a, create ? "make" : "open", error);
    sqlite3_extended_result_codes(a->db, 1);
    sqlite3_busy_handler(a->db, on_busy, a);
    // An archive is handed between people: nothing in its schema may call what has side effects.
    return archive_execute(a, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON", error);
}

static bool prepare_writer(struct archive *a, GError **error)
{
    // FULL: what was committed is on the disk. One source is one commit, so it costs little.
    return set_wal(a, error) &&
           archive_execute(a,
                           "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
                           "PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -65536;"
                           "PRAGMA wal_autocheckpoint = 8192",
                           error) &&
           archive_upgrade(a, error);
}

static void disconnect(struct archive *a)
{
    g_hash_table_remove_all(a->statements);
    sqlite3_close(a->db);
    a->db = NULL;
}

static bool prepare_reader(struct archive *a, GError **error)
{
    enum archive_state state;
    if (!archive_execute(a, "PRAGMA query_only = ON; PRAGMA cache_size = -16384", error) ||
        !archive_inspect(a, &state, error))
        return false;
    if (state == ARCHIVE_EMPTY) {
        disconnect(a);
        return true;
    }
    if (state == ARCHIVE_OLDER)
        return error_set(
            error, SPINFAULT_ERROR_UNAVAILABLE,
            "%s was written by an older spinfault; \"spinfault archive rebuild\" brings "
            "it up to date",
            a->path);
    // A log that another process left behind is its to write back, not a reader's.
    g_autofree char *log = g_strconcat(a->path, "-wal", NULL);
    struct stat st;
    if (stat(log, &st) == 0 && st.st_size > 0)
        sqlite3_db_config(a->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    return true;
}

// SQLite wants to make files beside the one it reads.
static bool can_share(const struct archive *a)
{
    g_autofree char *folder = g_path_get_dirname(a->path);
    return access(folder, W_OK) == 0 && access(a->path, W_OK) == 0;
}

// An archive in a folder one may not write: without a log there is nothing to share an index for.
static char *read_only_uri(const struct archive *a)
{
    g_autofree char *log = g_strconcat(a->path, "-wal", NULL);
    g_autofree char *full = g_canonicalize_filename(a->path, NULL);
    g_autofree char *escaped = g_uri_escape_string(full, "/", false);
    bool still = access(log, F_OK) != 0;
    return g_strconcat("file:", escaped, still ? "?immutable=1" : "?mode=ro", NULL);
}

char *archive_attach_name(const struct archive *archive)
{
    return can_share(archive) ? g_canonicalize_filename(archive->path, NULL)
                              : read_only_uri(archive);
}

static bool connect_read_only(struct archive *a, GError **error)
{
    g_autofree char *uri = read_only_uri(a);
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
    if (sqlite3_open_v2(uri, &a->db, flags, NULL) != SQLITE_OK)
        return archive_failed(a, "open", error);
    sqlite3_extended_result_codes(a->db, 1);
    sqlite3_busy_handler(a->db, on_busy, a);
    return archive_execute(a, "PRAGMA trusted_schema = OFF", error);
}

static bool open_existing(struct archive *a, GError **error)
{
    if (!look_inside(a->path, error))
        return false;
    if (a->mode == ARCHIVE_WRITE)
        return connect_file(a, false, error) && prepare_writer(a, error);
    return (can_share(a) ? connect_file(a, false, error) : connect_read_only(a, error)) &&
           prepare_reader(a, error);
}

static void finalize(gpointer statement)
{
    sqlite3_finalize(statement);
}

struct archive *archive_open_waiting(const char *path, enum archive_mode mode,
                                     const struct archive_waiting *waiting, GError **error)
{
    bool there;
    if (!look(path, mode, &there, error))
        return NULL;
    struct archive *a = g_new0(struct archive, 1);
    a->path = g_strdup(path);
    a->mode = mode;
    if (waiting)
        a->waiting = *waiting;
    if (!a->waiting.patience_ms)
        a->waiting.patience_ms = ARCHIVE_PATIENCE_MS;
    a->statements = g_hash_table_new_full(NULL, NULL, NULL, finalize);
    if (there && !open_existing(a, error)) {
        archive_close(a);
        return NULL;
    }
    return a;
}

struct archive *archive_open(const char *path, enum archive_mode mode, GError **error)
{
    return archive_open_waiting(path, mode, NULL, error);
}

void archive_close(struct archive *archive)
{
    if (!archive)
        return;
    store_free(archive->store);
    g_hash_table_destroy(archive->statements);
    sqlite3_close(archive->db);
    g_free(archive->path);
    g_free(archive);
}

const char *archive_path(const struct archive *archive)
{
    return archive->path;
}

bool archive_begin(struct archive *archive, GError **error)
{
    if (archive->mode == ARCHIVE_READ)
        return error_set(error, SPINFAULT_ERROR_USAGE, "%s was opened for reading only",
                         archive->path);
    if (!archive->db) {
        if (connect_file(archive, true, error) && prepare_writer(archive, error))
            return archive_execute(archive, "BEGIN IMMEDIATE", error);
        disconnect(archive);
        return false;
    }
    return archive_execute(archive, "BEGIN IMMEDIATE", error);
}

bool archive_commit(struct archive *archive, GError **error)
{
    if (archive_execute(archive, "COMMIT", error))
        return true;
    archive_rollback(archive);
    return false;
}

void archive_rollback(struct archive *archive)
{
    if (archive->db && !sqlite3_get_autocommit(archive->db))
        sqlite3_exec(archive->db, "ROLLBACK", NULL, NULL, NULL);
}
