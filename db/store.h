// Behind archive_sink(): what is known while a source or a scan is being stored.
//
// The write lock is taken as late as possible (store_open): a profile is gathered in memory until
// there are STORE_SAMPLES of it, so that an ordinary file holds the lock only while it is written,
// and other writers parse meanwhile.
#ifndef SPINFAULT_DB_STORE_H
#define SPINFAULT_DB_STORE_H

#include "bulk.h"
#include "handle.h"
#include "intern.h"

struct profile_store; // store_samples.c

// Counts of the source row.
struct store_counts {
    int64_t runs, metrics, points, samples, side, waits, environment, skipped;
};

struct run_series {
    uint32_t name; // id of text
    bool epoch;
    int64_t id, points;
};

struct store {
    struct archive *archive;
    struct fact_sink sink;
    enum { STORE_IDLE, STORE_SOURCE, STORE_SCAN } state;
    bool open;           // in a transaction
    int64_t ingested_ns; // for the source row; INT64_MIN: now; an import keeps the old one

    struct text_table text;
    GArray *text_ids; // int64_t row of `string` by id of `text`; 0 not looked up yet

    int64_t source_id;
    char *path, *format;
    GPtrArray *tags; // of the source: key, value, "1" or "0", …
    struct store_counts counts;
    struct profile_store *profile; // NULL until there is a sample or side record

    GHashTable *value_ids; // rows of host, workload, … by what they are; store_runs.c
    GString *value_key;
    int64_t run_id; // 0: no run yet
    int64_t metric_seq;
    GArray *series; // struct run_series, of the run

    // Of a scan, whose root is `path`.
    int64_t scan_id;
    char *version, *revision;
    int64_t started_ns;
    GPtrArray *held_sections, *held_findings, *held_files;
};

struct store *store_new(struct archive *archive);
void store_free(struct store *s); // accepts NULL; rolls back

// Begins the transaction and makes the row of the source. Does nothing the second time.
bool store_open(struct store *s, GError **error);
// The row of `string` for a text; 0 for a null one. Opens.
bool store_string(struct store *s, struct slice text, int64_t *id, GError **error);
bool store_string_of(struct store *s, uint32_t text_id, int64_t *id, GError **error);
// Ends the transaction and forgets the source or scan. With `keep` false nothing of it remains.
bool store_close(struct store *s, bool keep, GError **error);

// Whether a source with this content is stored; errors count as no.
bool store_has_source(struct store *s, const char *sha256);

struct query;

// One file each fills its callbacks in.
void store_runs_callbacks(struct fact_sink *sink);
void store_samples_callbacks(struct fact_sink *sink);
void store_side_callbacks(struct fact_sink *sink);
void store_scan_callbacks(struct fact_sink *sink);

// Writes what is gathered of the profile, and its totals.
bool store_samples_finish(struct store *s, GError **error);
void store_samples_free(struct profile_store *p);

#endif
