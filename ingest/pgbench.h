// The two parts of pgbench's text: the summary and the progress lines. pgbench.c puts them
// together.
#ifndef SPINFAULT_INGEST_PGBENCH_H
#define SPINFAULT_INGEST_PGBENCH_H

#include "run_builder.h"

// A summary that is being read.
struct pgbench_summary {
    struct run_builder *run;
    bool open;                            // "transaction type:" was seen
    uint64_t line;                        // where
    size_t prefix;                        // bytes that something else put before every line of it
    unsigned script, statement;           // of the per-script parts; 0 none yet
    bool statements;                      // below "statement latencies in milliseconds:"
    double processed, expected, duration; // NAN: not printed
    bool has_tps;
    bool own_script;          // the transaction type is a file
    bool several, builtin;    // "multiple scripts", and one of them is pgbench's own
    struct slice script_name; // of `run`
};

void pgbench_summary_begin(struct pgbench_summary *s, struct run_builder *run, uint64_t line,
                           size_t prefix);
// A line of the summary; false when it is none.
bool pgbench_summary_line(struct pgbench_summary *s, struct slice line);
// Judges the run: was it aborted, is something missing?
void pgbench_summary_end(struct pgbench_summary *s);

// "progress: 5.0 s, 1234.5 tps, lat …" anywhere in `line`; false when it is none.
bool pgbench_progress_line(struct run_builder *run, struct slice line);

#endif
