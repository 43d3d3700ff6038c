// Export and import.
//
// The import of lines is a replay to the archive's own sink; another archive is merged (merge.h).
// Either way what is there already (a source by its content, a scan by its tree and time) is left
// alone, so that an import can be repeated.
#include "handle.h"

#include "lines.h"
#include "merge.h"
#include "replay.h"
#include "store.h"

#include <errno.h>
#include <string.h>

static bool note_time(void *context, const char *sha256, int64_t ingested_ns)
{
    (void)sha256;
    lines_writer_ingested(context, ingested_ns);
    return true;
}

bool archive_export(struct archive *archive, FILE *out, GPtrArray *left_out, GError **error)
{
    struct lines_writer *w = lines_writer_new(out);
    struct replay_target to = {.sink = lines_writer_sink(w),
                               .source = note_time,
                               .context = w,
                               .left_out = left_out};
    fprintf(out, "{\"type\":\"archive\",\"format\":%d}\n", LINES_FORMAT);
    bool ok = replay(archive, &to, error);
    if (ok) {
        fprintf(out, "{\"type\":\"end\",\"sources\":%u,\"scans\":%u}\n", to.stored_sources,
                to.stored_scans);
        errno = 0;
        if (fflush(out) != 0 || ferror(out))
            ok = error_from_errno(error, errno ? errno : EIO, "write", "the export");
    }
    lines_writer_free(w);
    return ok;
}

// Keeps the time of the first ingest, and asks for a source only when it is not there yet.
static bool wanted(void *context, const char *sha256, int64_t ingested_ns)
{
    struct store *s = context;
    s->ingested_ns = ingested_ns;
    return !sha256 || !store_has_source(s, sha256);
}

static bool is_archive(const char *path, bool *is, GError **error)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    FILE *in = fopen(path, "re");
    if (!in)
        return error_from_errno(error, errno, "read", path);
    size_t n = fread(head, 1, sizeof head, in);
    int number = errno;
    bool failed = ferror(in) != 0;
    fclose(in);
    *is = n == sizeof head && memcmp(head, magic, sizeof head) == 0;
    return !failed || error_from_errno(error, number, "read", path);
}

static bool import_lines(const char *path, struct replay_target *to, GError **error)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *in = standard ? stdin : fopen(path, "re");
    if (!in)
        return error_from_errno(error, errno, "read", path);
    bool ok = lines_read(in, standard ? "standard input" : path, to, error);
    if (!standard)
        fclose(in);
    return ok;
}

static bool import_replayed(struct archive *archive, const char *path,
                            struct archive_import_counts *counts, GError **error)
{
    struct replay_target to = {.sink = archive_sink(archive), .source = wanted};
    to.context = archive->store;
    bool ok = import_lines(path, &to, error);
    archive->store->ingested_ns = INT64_MIN;
    *counts = (struct archive_import_counts){to.stored_sources, to.known_sources, to.stored_scans,
                                             to.known_scans};
    return ok;
}

bool archive_import(struct archive *archive, const char *path, struct archive_import_counts *counts,
                    GError **error)
{
    bool other = false;
    *counts = (struct archive_import_counts){0};
    if (strcmp(path, "-") != 0 && !is_archive(path, &other, error))
        return false;
    return other ? merge_archive(archive, path, counts, error)
                 : import_replayed(archive, path, counts, error);
}
