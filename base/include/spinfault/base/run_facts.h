// What benchmarks say: a run is one execution, with what was set, what was measured and what the
// host was like. Text is NUL-terminated UTF-8 and lent for the callback. Unknown is NULL or NAN,
// never 0.
#ifndef SPINFAULT_BASE_RUN_FACTS_H
#define SPINFAULT_BASE_RUN_FACTS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum run_status { RUN_COMPLETE, RUN_ABORTED };
enum better { BETTER_UNKNOWN, BETTER_HIGHER, BETTER_LOWER };
// Where a number comes from: measured here; measured and published by others; computed from other
// numbers; said without figures.
enum provenance {
    PROVENANCE_MEASURED,
    PROVENANCE_PUBLISHED,
    PROVENANCE_DERIVED,
    PROVENANCE_CLAIMED
};

const char *run_status_name(enum run_status v);
const char *better_name(enum better v); // "higher", "lower", "unknown"
const char *provenance_name(enum provenance v);
bool run_status_parse(const char *text, enum run_status *v);
bool better_parse(const char *text, enum better *v);
bool provenance_parse(const char *text, enum provenance *v);

// One setting of a run: a point in the grid, or a free tag. Keys the archive has columns for:
//   host kernel preempt preempt_source preempt_confidence page page_asked page_kind clients threads
//   arch vcpus instance
// `page` is what was really used: 4K, 16K, 64K, THP, 2M, 1G (page_parse normalises).
// Everything else (scale, duration_s, shared_buffers, huge_pages, protocol …) is kept as a tag.
struct setting {
    const char *key;
    const char *value;
    bool is_number; // print it without quotes
};

struct run_fact {
    const char *benchmark; // "pgbench", "fio", "csv", …
    const char *workload;  // "simple update", a script's name; or NULL
    int64_t started_ns;    // since the epoch; INT64_MIN unknown
    enum run_status status;
    const char *why; // of the status, or of what is missing; or NULL
    const struct setting *settings;
    size_t n_settings;
};

// Belongs to the run given last. The value is in base units (s, bytes, counts, 1/s).
struct metric_fact {
    const char *name;        // "tps", "latency_avg", … (ingest.h lists the standard names)
    double value;            // NAN with a `why` when the source should have had it and did not
    const char *unit;        // "1/s", "s", "B", "1"
    const char *source_unit; // as in the source, or NULL when it is the same
    enum better better;
    enum provenance provenance;
    uint64_t n;    // runs behind the value; 0 unknown, 1 a single run
    double stddev; // NAN unknown
    const char *why;
};

struct series_fact {
    const char *name;
    double t; // s since the start of the run, or epoch seconds when `epoch`
    bool epoch;
    double value;
};

// How often sessions were seen waiting.
struct wait_fact {
    const char *backend_type, *event_type, *event, *state; // NULL unknown
    uint64_t count;
    double t; // s, epoch, NAN unknown
};

// A fact about the host, the server or a process: settings, /proc/vmstat, meminfo, smaps.
struct environment_fact {
    const char *scope;  // "host", "process", "server", "container"
    const char *source; // "/proc/vmstat", "pg_settings"
    const char *key, *value;
    const char *unit;  // or NULL
    const char *phase; // "before", "after", or NULL
};

// A page size by its name in the grid: "4K" for 4k, 4kB, 4096, 4KiB, base; "THP" for thp,
// transparent; "2M", "1G", "16K", "64K". Returns false (and leaves `name`) when it is none.
// `bytes` (may be NULL) gets its size; THP is 0: what was really used is not known from the name.
bool page_parse(const char *text, char name[8], uint64_t *bytes);
// "none", "voluntary", "full", "lazy", "rt" from PREEMPT_LAZY, "lazy", "PREEMPT(lazy)", …
// NULL when it is none of them.
const char *preempt_parse(const char *text);

#endif
