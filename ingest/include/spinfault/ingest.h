// ingest: reads one file of any known format and delivers its facts to a sink.
#ifndef SPINFAULT_INGEST_H
#define SPINFAULT_INGEST_H

#include <glib.h>
#include <stdbool.h>

#include "spinfault/base.h"

struct ingest_options {
    const char *format;             // a name of ingest_formats(); NULL: by content
    const struct setting *settings; // --set KEY=VALUE: added to every run, and win over the file's
    size_t n_settings;
    // Bytes read so far, of `total` (0 when unknown: a pipe, a compressed file); or NULL.
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
};

// Reads `path` ("-" is standard input) as a stream, through libarchive when it is compressed, and
// delivers source_begin … source_end to `sink`. `summary` is filled on success and for DUPLICATE.
// Errors: NOT_FOUND, IO, UNKNOWN (no format fits), DAMAGED, AMBIGUOUS, LIMIT, DUPLICATE (from the
// sink), and the sink's own.
bool ingest_file(const char *path, const struct ingest_options *options,
                 const struct fact_sink *sink, struct source_summary *summary, GError **error);

struct ingest_format_info {
    const char *name;    // "perf-script"
    const char *summary; // one line
};
const struct ingest_format_info *ingest_formats(size_t *n);

// Standard metric names; a source's own name is kept where none fits:
//   tps latency_avg latency_stddev latency_p50 latency_p90 latency_p95 latency_p99 latency_max
//   failed retried skipped initial_connection_time minor_faults major_faults context_switches
//   cpu_seconds

#endif
