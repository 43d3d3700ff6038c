// The seam between those who find facts (analyzer, ingest) and those who keep them (the archive, a
// printer, a test). A sink is a struct of callbacks; a callback that is NULL ignores its facts.
//
// Order of calls:
//   scan_begin (file | section | finding)* scan_end
//   source_begin (sample | side | run (metric | series)* | wait | environment | skipped)*
//   source_end
// Whatever began is ended exactly once, with `ok` false when it failed; a sink that stores keeps
// all of it or nothing. A callback that returns false has set `error`, and the caller stops and
// calls the end with `ok` false.
#ifndef SPINFAULT_BASE_SINK_H
#define SPINFAULT_BASE_SINK_H

#include <glib.h>
#include <stdbool.h>

#include "spinfault/base/digest.h"
#include "spinfault/base/run_facts.h"
#include "spinfault/base/sample_facts.h"
#include "spinfault/base/scan_facts.h"

// A file that is being ingested.
struct source_fact {
    const char *path;   // as given; "-" for standard input
    const char *format; // "perf-script", "pgbench", …
    // What was said about the whole file (--set, a sidecar). A profile or a wait-event table has no
    // run to carry them; runs get them as well, in their own settings.
    const struct setting *settings;
    size_t n_settings;
};

struct skipped_fact {
    uint64_t line; // 0 when the format has no lines
    const char *why;
    const char *text; // printable, shortened
};

struct source_summary {
    const char *format;
    uint64_t bytes;   // of the content, decompressed
    uint64_t records; // facts delivered
    uint64_t skipped; // lines or records not understood
    uint64_t lost;    // samples the recorder says it lost
    bool truncated;   // the last record was cut off
    double seconds;
    char sha256[DIGEST_HEX_BYTES]; // of the content, decompressed
};

struct fact_sink {
    void *context; // handed to every callback

    bool (*scan_begin)(void *context, const struct scan_fact *scan, GError **error);
    bool (*section)(void *context, const struct section_fact *section, GError **error);
    bool (*finding)(void *context, const struct finding_fact *finding, GError **error);
    bool (*file)(void *context, const struct file_fact *file, GError **error);
    bool (*scan_end)(void *context, const struct scan_summary *summary, bool ok, GError **error);

    bool (*source_begin)(void *context, const struct source_fact *source, GError **error);
    bool (*sample)(void *context, const struct sample_fact *sample, GError **error);
    bool (*side)(void *context, const struct side_fact *side, GError **error);
    bool (*run)(void *context, const struct run_fact *run, GError **error);
    bool (*metric)(void *context, const struct metric_fact *metric, GError **error);
    bool (*series)(void *context, const struct series_fact *point, GError **error);
    bool (*wait)(void *context, const struct wait_fact *wait, GError **error);
    bool (*environment)(void *context, const struct environment_fact *fact, GError **error);
    bool (*skipped)(void *context, const struct skipped_fact *skipped, GError **error);
    // `ok` true asks to keep it. SPINFAULT_ERROR_DUPLICATE when the same content is there already
    // (the sink has then dropped what it got: that is not a failure of the source).
    bool (*source_end)(void *context, const struct source_summary *summary, bool ok,
                       GError **error);
};

// sink_sample(sink, fact, error) and so on: true when the sink has no such callback.
#define SINK_CALL(name, type)                                                                      \
    static inline bool sink_##name(const struct fact_sink *sink, const struct type *fact,          \
                                   GError **error)                                                 \
    {                                                                                              \
        return !sink->name || sink->name(sink->context, fact, error);                              \
    }
SINK_CALL(scan_begin, scan_fact)
SINK_CALL(section, section_fact)
SINK_CALL(finding, finding_fact)
SINK_CALL(file, file_fact)
SINK_CALL(source_begin, source_fact)
SINK_CALL(sample, sample_fact)
SINK_CALL(side, side_fact)
SINK_CALL(run, run_fact)
SINK_CALL(metric, metric_fact)
SINK_CALL(series, series_fact)
SINK_CALL(wait, wait_fact)
SINK_CALL(environment, environment_fact)
SINK_CALL(skipped, skipped_fact)
#undef SINK_CALL

static inline bool sink_scan_end(const struct fact_sink *sink, const struct scan_summary *summary,
                                 bool ok, GError **error)
{
    return !sink->scan_end || sink->scan_end(sink->context, summary, ok, error);
}

static inline bool sink_source_end(const struct fact_sink *sink,
                                   const struct source_summary *summary, bool ok, GError **error)
{
    return !sink->source_end || sink->source_end(sink->context, summary, ok, error);
}

#endif
