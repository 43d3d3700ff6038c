// Lines of a stream, without copying them.
//
// The text is read in chunks. A line lies whole in one chunk: what is left of a line at the end of
// a chunk is carried into the next one. Chunks stay alive until reader_release(), so a parser can
// keep slices of all the lines of a record and deliver them at its end, whatever the chunk borders.
//
// The digest is that of the decompressed content as it is; a byte order mark is then dropped and
// UTF-16 becomes UTF-8.
#ifndef SPINFAULT_INGEST_READER_H
#define SPINFAULT_INGEST_READER_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "spinfault/base.h"

struct reader {
    const char *name;      // for messages
    uint64_t line;         // number of the line given last, from 1
    uint64_t bytes;        // of the content so far, decompressed
    bool cut;              // the line given last had no newline: it is the last, and may be cut off
    const char *pos, *end; // of the chunk that is being read
    struct reader_private *private;
};

typedef void (*reader_progress)(void *context, uint64_t done, uint64_t total);

// `chunk` is the size of the pieces to read; 0 for the usual (tests use others).
struct reader *reader_open(const char *path, size_t chunk, reader_progress progress,
                           void *progress_context, GError **error);
// The same for the output of another program; the descriptor is taken over.
struct reader *reader_open_fd(int fd, const char *name, GError **error);
// The beginning of the text, at most LIMIT_DETECT_BYTES; valid until the first reader_next().
struct slice reader_head(struct reader *r);
// The next line without its end (LF or CR LF). False at the end, or with `error` set.
bool reader_next(struct reader *r, struct slice *line, GError **error);
// Gives up the lines delivered before the last one.
void reader_release(struct reader *r);
// Bytes that are kept for lines that were not released.
size_t reader_held(const struct reader *r);
// All that is left, as one slice that lives as long as the reader; LIMIT_DOCUMENT_BYTES.
bool reader_rest(struct reader *r, struct slice *text, GError **error);
// Reads to the end (so that the digest is that of the whole content).
bool reader_drain(struct reader *r, GError **error);
// Of everything that was read; ends the digest.
void reader_digest(struct reader *r, char hex[DIGEST_HEX_BYTES]);
void reader_close(struct reader *r); // accepts NULL

typedef struct reader reader_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(reader_t, reader_close)

// The next line that is whole in the current chunk, or false: then reader_next() has more to do.
static inline bool reader_next_here(struct reader *r, struct slice *line)
{
    const char *nl = r->pos < r->end ? memchr(r->pos, '\n', (size_t)(r->end - r->pos)) : NULL;
    if (!nl)
        return false;
    size_t len = (size_t)(nl - r->pos);
    *line = (struct slice){r->pos, len > 0 && nl[-1] == '\r' ? len - 1 : len};
    r->pos = nl + 1;
    r->line++;
    return true;
}

#endif
