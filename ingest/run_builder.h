// A run that is put together while its file is read, and delivered when it is complete: the sink
// wants the run first, then its metrics, then its series.
#ifndef SPINFAULT_INGEST_RUN_BUILDER_H
#define SPINFAULT_INGEST_RUN_BUILDER_H

#include "context.h"

struct run_builder {
    const char *benchmark; // static
    const char *workload;  // of `text`
    int64_t started_ns;
    enum run_status status;
    const char *why;            // of `text`
    enum provenance provenance; // of the metrics that are added; measured unless set
    GPtrArray *settings;        // of struct setting
    GArray *metrics;            // of struct metric_fact
    GArray *series;             // of struct series_fact
    GStringChunk *text;         // owns the strings
};

struct run_builder *run_builder_new(const char *benchmark);
void run_builder_free(struct run_builder *run); // accepts NULL
void run_builder_reset(struct run_builder *run);
typedef struct run_builder run_builder_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_builder_t, run_builder_free)

// A copy that lives as long as the run. Repeated strings are kept once.
const char *run_text(struct run_builder *run, struct slice s);
void run_set(struct run_builder *run, const char *key, struct slice value); // an empty one is none
void run_fail(struct run_builder *run, const char *why);                    // aborted, and why
// Adds a metric given in `source_unit`, converted to the base unit. Returns it for changes; valid
// until the next one is added.
struct metric_fact *run_metric(struct run_builder *run, const char *name, double value,
                               const char *source_unit);
// What should be there and is not.
void run_missing(struct run_builder *run, const char *name, const char *why);
void run_series(struct run_builder *run, const char *name, double t, double value);
// The metric of that name, or NULL.
struct metric_fact *run_find_metric(struct run_builder *run, const char *name);
// Delivers everything and resets.
bool run_deliver(struct run_builder *run, struct ingest *in, GError **error);

#endif
