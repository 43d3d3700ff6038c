// The archive as JSON lines: docs/archive.md describes them. What one half writes the other reads.
#ifndef SPINFAULT_DB_LINES_H
#define SPINFAULT_DB_LINES_H

#include "handle.h"

#include <stdio.h>

#define LINES_FORMAT 1 // of the first line; a reader refuses a higher one

// A sink that writes lines. Errors of the stream are found at the end, by ferror().
struct lines_writer;
struct lines_writer *lines_writer_new(FILE *out);
const struct fact_sink *lines_writer_sink(struct lines_writer *w);
void lines_writer_ingested(struct lines_writer *w, int64_t ingested_ns); // of the next source
void lines_writer_free(struct lines_writer *w);

// Reads lines and tells their facts to `to`, whose `source` is called as replay() does. `path` is
// for messages.
struct replay_target;
bool lines_read(FILE *in, const char *path, struct replay_target *to, GError **error);

#endif
