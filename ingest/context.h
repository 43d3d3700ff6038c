// What a format's parser works with: the lines, the sink, and the counts of the summary.
#ifndef SPINFAULT_INGEST_CONTEXT_H
#define SPINFAULT_INGEST_CONTEXT_H

#include "reader.h"

#include "spinfault/base.h"
#include "spinfault/ingest.h"

struct ingest {
    const char *path; // as given
    const char *name; // for messages: the path, or "standard input"
    struct reader *reader;
    const struct fact_sink *sink;
    struct source_summary summary; // records, skipped, lost, truncated are kept up to date here
    GPtrArray *settings;           // of struct setting: from the sidecar and from --set, normalised
    unsigned runs;
};

// ingest_file() for a reader that is open already; takes it over.
bool ingest_reader(struct reader *reader, const char *path, const struct ingest_options *options,
                   const struct fact_sink *sink, struct source_summary *summary, GError **error);

// Deliver a fact and count it.
bool ingest_sample(struct ingest *in, const struct sample_fact *sample, GError **error);
bool ingest_side(struct ingest *in, const struct side_fact *side, GError **error);
bool ingest_metric(struct ingest *in, const struct metric_fact *metric, GError **error);
bool ingest_series(struct ingest *in, const struct series_fact *point, GError **error);
bool ingest_wait(struct ingest *in, const struct wait_fact *wait, GError **error);
bool ingest_environment(struct ingest *in, const struct environment_fact *fact, GError **error);
// The run's settings, then those of the sidecar and of --set, which win. LIMIT_RUNS_PER_FILE.
bool ingest_run(struct ingest *in, const struct run_fact *run, GError **error);

// A line that was not understood. All are counted; the first LIMIT_SKIPPED_SHOWN are delivered.
bool ingest_skip(struct ingest *in, uint64_t line, const char *why, struct slice text,
                 GError **error);
// Sets `error` to DAMAGED with "NAME:LINE: " before the message. Returns false.
bool ingest_damaged(struct ingest *in, uint64_t line, GError **error, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
// The same for AMBIGUOUS.
bool ingest_ambiguous(struct ingest *in, uint64_t line, GError **error, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

#endif
