// The archive: one SQLite file that keeps scans, profiles and runs.
#ifndef SPINFAULT_DB_H
#define SPINFAULT_DB_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

#include "spinfault/base.h"

struct archive;

enum archive_mode {
    ARCHIVE_READ,  // must exist; never created, never changed
    ARCHIVE_WRITE, // created on first write, migrated when older
};

// Errors: NOT_FOUND, DAMAGED (no archive), NEWER, BUSY, IO.
struct archive *archive_open(const char *path, enum archive_mode mode, GError **error);
// The same, saying how long to wait for another writer and whom to tell that one waits.
struct archive_waiting {
    unsigned patience_ms; // 0: ARCHIVE_PATIENCE_MS; then BUSY
    // Called once a wait, after a second, from the thread that waits; or NULL.
    void (*notify)(void *context, const char *path);
    void *context;
};
#define ARCHIVE_PATIENCE_MS 60000
struct archive *archive_open_waiting(const char *path, enum archive_mode mode,
                                     const struct archive_waiting *waiting, GError **error);
void archive_close(struct archive *archive); // accepts NULL
const char *archive_path(const struct archive *archive);
// What a user should know of where the archive lies, as a sentence, or NULL: a network file system,
// whose locks do not keep writers on two machines apart. The caller's.
char *archive_caution(const struct archive *archive);

// A sink that stores. One begin … end is one transaction: all of it or nothing. It is lent by the
// archive and can be used again after an end.
const struct fact_sink *archive_sink(struct archive *archive);

// ---- Queries. Every result is the caller's: an array with its own free function; text in it is
// ---- owned by the array. NULL text and NAN numbers are "unknown". Order is stated and stable.

// Which runs. All given conditions hold; NULL fields ask nothing.
struct run_filter {
    const char *const *where; // "preempt=lazy", "page=4K", "workload=…", any tag; NULL-terminated
    int64_t since_ns;         // INT64_MIN: from the beginning
};

struct run_row {
    int64_t id;
    int64_t source_id;
    char *benchmark, *workload;
    char *host, *instance, *arch, *kernel;
    char *preempt, *preempt_source, *preempt_confidence;
    char *page;         // "4K", "THP", "2M", "1G"; NULL unknown
    int64_t clients;    // -1 unknown
    int64_t vcpus;      // -1 unknown
    int64_t started_ns; // INT64_MIN unknown
    enum run_status status;
    char *why;
    char *path;       // of the source file
    GHashTable *tags; // char* -> char*, what has no column: scale, duration_s, shared_buffers, …
};
// GPtrArray of struct run_row, by id (the order of ingest).
GPtrArray *archive_runs(struct archive *archive, const struct run_filter *filter, GError **error);

struct metric_row {
    int64_t run_id;
    char *name, *unit, *source_unit, *why;
    double value, stddev; // NAN unknown
    enum better better;
    enum provenance provenance;
    uint64_t n;
};
// GPtrArray of struct metric_row, by run and then in the order of the source. `name` NULL: all.
GPtrArray *archive_metrics(struct archive *archive, const struct run_filter *filter,
                           const char *name, GError **error);

struct series_row {
    double t, value;
    bool epoch;
};
// GArray of struct series_row by t.
GArray *archive_series(struct archive *archive, int64_t run_id, const char *name, GError **error);

struct wait_row {
    int64_t source_id;
    int64_t run_id; // -1: belongs to no run
    char *path;     // of the source file
    char *backend_type, *event_type, *event, *state;
    uint64_t count;
    double t;
    GHashTable *tags; // of its source: --set preempt=lazy and so on
};
// GPtrArray of struct wait_row, by source and then as in the source.
GPtrArray *archive_waits(struct archive *archive, GError **error);

struct environment_row {
    int64_t source_id;
    char *scope, *origin, *key, *value, *unit, *phase;
};
GPtrArray *archive_environment(struct archive *archive, GError **error); // by source, then key

// A profile: the samples of one event in one source.
struct profile_row {
    int64_t id;
    int64_t source_id;
    char *path, *event;
    uint64_t samples, weight, lost;
    GHashTable *tags; // of its source
};
GPtrArray *archive_profiles(struct archive *archive, GError **error); // heaviest first per source

// The stack tree of a profile, parents before children; node 0 is the root ("all").
struct stack_node {
    int32_t parent;           // index into the array; -1 for the root
    uint32_t number;          // of its symbol: the same symbol has the same number
    const char *symbol, *dso; // lent by the tree; "[unknown]" when the text had none
    const char *line;         // of source, "pool.c:112", where most of it is; NULL unknown
    uint64_t self, total;     // weight
    uint64_t self_samples, total_samples;
};
struct stack_tree {
    struct stack_node *nodes;
    size_t n;
    GPtrArray *symbols; // of const char *, by number; 0 is the root's
    GStringChunk *text;
};
struct stack_tree *archive_stack_tree(struct archive *archive, int64_t profile_id, GError **error);
// The same of some samples: of a thread, of a time range (of the recorder's clock, in ns; a sample
// without a time is in none). A sample counts when all that is asked holds.
struct sample_filter {
    bool by_time, by_tid;
    int64_t from_ns, to_ns; // from <= t < to
    int64_t tid;
};
struct stack_tree *archive_stack_tree_of(struct archive *archive, int64_t profile_id,
                                         const struct sample_filter *filter, GError **error);
void stack_tree_free(struct stack_tree *tree); // accepts NULL

// Where the samples of a profile end, by function and source line: of each chain the innermost
// frame that `skip` does not pass over (NULL: none is). GPtrArray of struct line_row, most samples
// first; empty when no frame of its source has a line.
struct line_row {
    char *symbol, *line; // "pool_take", "pool.c:112"; `line` NULL unknown
    uint64_t samples;
};
GPtrArray *archive_profile_lines(struct archive *archive, int64_t profile_id,
                                 bool (*skip)(const char *symbol, const char *dso), GError **error);

// A profile sample by sample, read in one pass: for those who need more of it than the tree.
struct thread_row {
    int64_t pid, tid; // -1 unknown
    char *comm;       // NULL unknown
    uint64_t samples, weight;
    int64_t first_ns, last_ns; // INT64_MIN unknown
};
struct sample_row {
    int64_t time_ns; // of the recorder's clock; INT64_MIN unknown
    uint64_t weight;
    uint32_t node;   // of `tree`: where the chain ends
    uint32_t thread; // index into `threads`
};
struct profile_samples {
    struct stack_tree *tree;
    GArray *rows;              // of struct sample_row, in the order of the source
    GPtrArray *threads;        // of struct thread_row, heaviest first
    int64_t first_ns, last_ns; // INT64_MIN: no sample has a time
};
struct profile_samples *archive_profile_samples(struct archive *archive, int64_t profile_id,
                                                GError **error);
void profile_samples_free(struct profile_samples *samples); // accepts NULL

// Scans, newest first; findings and sections of one scan by file and line. The rows are the facts
// of scan_facts.h with text owned by the array.
struct scan_row {
    int64_t id;
    char *root, *version, *commit;
    int64_t started_ns;
    struct scan_summary summary;
};
GPtrArray *archive_scans(struct archive *archive, GError **error);
// Of struct section_fact, finding_fact, file_fact.
GPtrArray *archive_sections(struct archive *archive, int64_t scan_id, GError **error);
GPtrArray *archive_findings(struct archive *archive, int64_t scan_id, GError **error);
GPtrArray *archive_scan_files(struct archive *archive, int64_t scan_id, GError **error);

// The life of a finding over the scans of a tree: since when, until when.
enum finding_state { FINDING_PRESENT, FINDING_FIXED };
struct finding_life {
    char *fingerprint, *rule, *file, *function, *object;
    enum severity severity;        // the last known
    enum finding_state state;      // in the newest scan that would show it
    bool from_start;               // it was there in the first scan already
    int64_t first_scan, last_scan; // ids of scans it was seen in
    char *first_commit, *last_commit;
    int64_t fixed_scan; // the first scan after `last_scan` without it; -1: still there
    char *fixed_commit;
    unsigned reappeared; // how often it came back
};
// GPtrArray of struct finding_life, present ones first, then by file and rule. `root` NULL: the
// tree of the newest scan. A scan of fewer files says nothing of a finding in a file it did not
// look at.
GPtrArray *archive_finding_lives(struct archive *archive, const char *root, GError **error);

// Source files, for `archive list`.
struct source_row {
    int64_t id;
    char *path, *format, *sha256;
    uint64_t bytes, records, skipped;
    int64_t ingested_ns;
    uint64_t runs, samples;
};
GPtrArray *archive_sources(struct archive *archive, GError **error); // by id

struct archive_counts {
    int schema_version;
    uint64_t file_bytes;
    uint64_t sources, runs, metrics, profiles, samples, scans, sections, findings;
};
bool archive_count(struct archive *archive, struct archive_counts *counts, GError **error);

// ---- Care

// What is wrong with the archive: an array of sentences (char*), empty when it is sound. SQLite's
// own checks, references, and what is stored against what each source and scan says of itself.
// NULL when it could not be read far enough to say.
GPtrArray *archive_verify(struct archive *archive, GError **error);
// Makes the derived views and tables anew.
bool archive_rebuild(struct archive *archive, GError **error);
// Copies the archive to a file that must not exist, whole even beside a writer.
bool archive_backup(struct archive *archive, const char *path, GError **error);

// Everything as JSON lines (docs/archive.md). Exported, imported into an empty archive and exported
// again it is the same, byte by byte. Of a damaged archive, what can be read: sources and scans
// that can't are left out, with a sentence each in `left_out` (of char*); NULL: the first is an
// error.
bool archive_export(struct archive *archive, FILE *out, GPtrArray *left_out, GError **error);

// Tells a sink the samples of a source, in their order; nothing else of it, and no begin or end.
bool archive_tell_samples(struct archive *archive, int64_t source_id, const struct fact_sink *to,
                          GError **error);

// Deletes sources and scans with all that belongs to them, in one transaction, after a backup to
// `backup` (as archive_backup makes it) that it can be undone from. Errors: NOT_FOUND when one of
// them is not there; then nothing is deleted.
bool archive_prune(struct archive *archive, const int64_t *sources, size_t n_sources,
                   const int64_t *scans, size_t n_scans, const char *backup, GError **error);

// ---- What a scan keeps for the next one: bytes under a key. It is no fact: rebuild drops it, an
// ---- export leaves it out.

// `*value` NULL: nothing under that key; else the caller's.
bool archive_cache_get(struct archive *archive, const char *key, GBytes **value, GError **error);
struct archive_cache_row {
    const char *key;
    GBytes *value; // NULL: what is there was used
};
// All of it in one transaction. Then rows that were not used for the longest time are deleted
// while all have more than `limit` bytes together.
bool archive_cache_put(struct archive *archive, const struct archive_cache_row *rows, size_t n,
                       uint64_t limit, GError **error);

struct archive_import_counts {
    unsigned stored_sources, known_sources; // known: there already, left alone
    unsigned stored_scans, known_scans;
};
// Takes in an export ("-": of standard input) or another archive. Of an export each source and scan
// is stored whole or not at all, and an error leaves those before it; another archive is taken in
// in one transaction, and only when it is sound. `counts` is filled also when it fails.
bool archive_import(struct archive *archive, const char *path, struct archive_import_counts *counts,
                    GError **error);

#endif
