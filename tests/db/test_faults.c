// A disk that fails. SQLite's operating-system layer is replaced by one that passes everything on
// until the n-th write, sync, truncation or open, and from there on says "disk full" or "I/O
// error". For every n: the error names the archive, what was committed is whole, and once the disk
// is well again the same file can be stored.
#include "support.h"

#include <glib/gstdio.h>
#include <sqlite3.h>

struct shim_file {
    sqlite3_file base;
    sqlite3_file *real; // behind this struct
};

static struct {
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    int countdown; // operations that still go well; -1: all
    int code;      // what failing ones say
    bool failed;   // one did
} shim;

static bool fails(void)
{
    if (shim.countdown < 0)
        return false;
    if (shim.countdown > 0) {
        shim.countdown--;
        return false;
    }
    shim.failed = true;
    return true;
}

#define REAL(file) (((struct shim_file *)(file))->real)
#define PASS(name, arguments, ...)                                                                 \
    static int on_##name arguments                                                                 \
    {                                                                                              \
        return REAL(f)->pMethods->name(REAL(f), ##__VA_ARGS__);                                    \
    }
PASS(xClose, (sqlite3_file * f))
PASS(xRead, (sqlite3_file * f, void *to, int n, sqlite3_int64 at), to, n, at)
PASS(xFileSize, (sqlite3_file * f, sqlite3_int64 *size), size)
PASS(xLock, (sqlite3_file * f, int kind), kind)
PASS(xUnlock, (sqlite3_file * f, int kind), kind)
PASS(xCheckReservedLock, (sqlite3_file * f, int *held), held)
PASS(xFileControl, (sqlite3_file * f, int op, void *argument), op, argument)
PASS(xSectorSize, (sqlite3_file * f))
PASS(xDeviceCharacteristics, (sqlite3_file * f))
PASS(xShmMap, (sqlite3_file * f, int page, int size, int extend, void volatile **to), page, size,
     extend, to)
PASS(xShmLock, (sqlite3_file * f, int offset, int n, int flags), offset, n, flags)
PASS(xShmUnmap, (sqlite3_file * f, int remove), remove)

static void on_xShmBarrier(sqlite3_file *f)
{
    REAL(f)->pMethods->xShmBarrier(REAL(f));
}

static int on_xWrite(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
    return fails() ? shim.code : REAL(f)->pMethods->xWrite(REAL(f), from, n, at);
}

static int on_xTruncate(sqlite3_file *f, sqlite3_int64 size)
{
    return fails() ? SQLITE_IOERR_TRUNCATE : REAL(f)->pMethods->xTruncate(REAL(f), size);
}

// Nothing here dies with the machine, so that a sync that goes well need not be one.
static int on_xSync(sqlite3_file *f, int flags)
{
    (void)f;
    (void)flags;
    return fails() ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = on_xClose,
    .xRead = on_xRead,
    .xWrite = on_xWrite,
    .xTruncate = on_xTruncate,
    .xSync = on_xSync,
    .xFileSize = on_xFileSize,
    .xLock = on_xLock,
    .xUnlock = on_xUnlock,
    .xCheckReservedLock = on_xCheckReservedLock,
    .xFileControl = on_xFileControl,
    .xSectorSize = on_xSectorSize,
    .xDeviceCharacteristics = on_xDeviceCharacteristics,
    .xShmMap = on_xShmMap,
    .xShmLock = on_xShmLock,
    .xShmBarrier = on_xShmBarrier,
    .xShmUnmap = on_xShmUnmap,
};

static int on_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *got)
{
    (void)vfs;
    struct shim_file *file = (struct shim_file *)f;
    file->base.pMethods = NULL;
    file->real = (sqlite3_file *)(file + 1);
    if (fails())
        return SQLITE_CANTOPEN;
    int rc = shim.real->xOpen(shim.real, name, file->real, flags, got);
    if (rc == SQLITE_OK)
        file->base.pMethods = &methods;
    return rc;
}

static void install(void)
{
    shim.real = sqlite3_vfs_find(NULL);
    shim.vfs = *shim.real;
    shim.vfs.zName = "failing";
    shim.vfs.szOsFile = (int)sizeof(struct shim_file) + shim.real->szOsFile;
    shim.vfs.xOpen = on_open;
    shim.countdown = -1;
    g_assert_cmpint(sqlite3_vfs_register(&shim.vfs, 1), ==, SQLITE_OK);
}

// A source with a profile and runs, told without assertions: any call may fail.
static bool tell(struct archive *a, GError **error)
{
    const struct fact_sink *sink = archive_sink(a);
    const struct source_fact source = {.path = "new.txt", .format = "perf-script"};
    const struct source_summary summary = summary_of("perf-script", "new");
    const struct run_fact run = {.benchmark = "pgbench", .started_ns = INT64_MIN};
    const struct metric_fact metric = {.name = "tps", .value = 1, .n = 1};
    static const struct frame_fact frame = {.symbol = SLICE("main")};
    if (!sink_source_begin(sink, &source, error))
        return false;
    bool ok = sink_run(sink, &run, error) && sink_metric(sink, &metric, error);
    for (int i = 0; ok && i < 200; i++) {
        const struct sample_fact sample = {
            .fields = SAMPLE_TIME, .time_ns = i, .weight = 1, .frames = &frame, .n_frames = 1};
        ok = sink_sample(sink, &sample, error);
    }
    return sink_source_end(sink, &summary, ok, ok ? error : NULL) && ok;
}

// Another archive of one source comes in, whose pages are read through the same layer.
static const char *other_archive;

static bool import(struct archive *a, GError **error)
{
    struct archive_import_counts counts;
    if (!archive_import(a, other_archive, &counts, error))
        return false;
    return counts.stored_sources == 1 ||
           error_set(error, SPINFAULT_ERROR_DUPLICATE, "%s is there", other_archive);
}

// What is done while the disk fails.
static bool (*work)(struct archive *a, GError **error) = tell;

enum outcome { STORED, KNOWN, REFUSED };

// Opens, works and closes with the disk failing after `n` operations.
static enum outcome try_with(const char *path, int n, int code)
{
    GError *error = NULL;
    const struct archive_waiting waiting = {.patience_ms = 500};
    shim.countdown = n;
    shim.code = code;
    shim.failed = false;
    struct archive *a = archive_open_waiting(path, ARCHIVE_WRITE, &waiting, &error);
    bool stored = a && work(a, &error);
    archive_close(a);
    shim.countdown = -1;
    if (stored) {
        g_assert_no_error(error);
        return STORED;
    }
    bool known = g_error_matches(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DUPLICATE);
    bool said =
        g_error_matches(error, SPINFAULT_ERROR, SPINFAULT_ERROR_IO) && shim.failed &&
        (strstr(error->message, path) || (work == import && strstr(error->message, other_archive)));
    if (!known && !said)
        g_error("step %d, code %d: %s", n, code, error->message);
    g_error_free(error);
    return known ? KNOWN : REFUSED;
}

// The archive is sound. Returns how many sources it has.
static unsigned sources_in(const char *path)
{
    GError *error = NULL;
    struct archive *a = open_ok(path, ARCHIVE_READ);
    g_autoptr(GPtrArray) problems = archive_verify(a, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(problems->len, ==, 0);
    g_autoptr(GPtrArray) rows = archive_sources(a, &error);
    g_assert_no_error(error);
    unsigned n = rows->len;
    archive_close(a);
    return n;
}

static void remove_archive(const char *path)
{
    g_autofree char *log = g_strconcat(path, "-wal", NULL);
    g_autofree char *index = g_strconcat(path, "-shm", NULL);
    g_unlink(path);
    g_unlink(log);
    g_unlink(index);
}

// One step on an archive of `before` sources. Returns whether the source was refused; `*clean` says
// that nothing failed any more.
static bool step(const char *path, int n, int code, unsigned before, bool *clean)
{
    enum outcome outcome = try_with(path, n, code);
    *clean = !shim.failed;
    g_assert_cmpint(outcome, !=, KNOWN);
    if (outcome == STORED) {
        g_assert_cmpuint(sources_in(path), ==, before + 1);
        return false;
    }
    // When it was the last sync that failed, nobody can tell whether the source is on the disk: it
    // is there whole or not at all, and storing it again settles it.
    if (before > 0)
        g_assert_cmpuint(sources_in(path), <=, before + 1);
    g_assert_cmpint(try_with(path, -1, code), !=, REFUSED);
    g_assert_cmpuint(sources_in(path), ==, before + 1);
    return true;
}

static void fail_at_each(int code)
{
    char *folder = folder_new();
    g_autofree char *good = in_folder(folder, "good.db");
    g_autofree char *path = in_folder(folder, "a.db");
    g_autofree char *bytes = NULL;
    gsize len;
    struct archive *a = open_ok(good, ARCHIVE_WRITE);
    feed_runs(a, "one");
    archive_close(a);
    g_assert_true(g_file_get_contents(good, &bytes, &len, NULL));
    int n = 0, refused = 0;
    for (bool clean = false; !clean; n++) {
        g_assert_cmpint(n, <, 1000);
        g_assert_true(g_file_set_contents(path, bytes, (gssize)len, NULL));
        refused += step(path, n, code, 1, &clean);
        remove_archive(path);
    }
    g_test_message("%d operations, %d of them refused the source", n, refused);
    g_assert_cmpint(refused, >, 10);
    folder_free(folder);
}

static void full(void)
{
    fail_at_each(SQLITE_FULL);
}

static void broken(void)
{
    fail_at_each(SQLITE_IOERR_WRITE);
}

// The same for an archive that does not exist yet.
static void new_archive(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    bool clean = false;
    for (int n = 0; !clean; n++) {
        g_assert_cmpint(n, <, 1000);
        step(path, n, SQLITE_FULL, 0, &clean);
        remove_archive(path);
    }
    folder_free(folder);
}

// The same for an import, which is one transaction however much it brings.
static void merging(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *other = in_folder(folder, "other.db");
    struct archive *a = open_ok(other, ARCHIVE_WRITE);
    assert_ok(tell(a, &error), error);
    archive_close(a);
    other_archive = other;
    work = import;
    fail_at_each(SQLITE_FULL);
    fail_at_each(SQLITE_IOERR_WRITE);
    work = tell;
    folder_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    install();
    g_test_add_func("/db/faults/full", full);
    g_test_add_func("/db/faults/broken", broken);
    g_test_add_func("/db/faults/new-archive", new_archive);
    g_test_add_func("/db/faults/merging", merging);
    return g_test_run();
}
