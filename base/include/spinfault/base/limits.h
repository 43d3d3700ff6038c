// Every reader has a maximum, and this is where it is named. A message that reports a limit says
// its name, so that a user can find it here.
#ifndef SPINFAULT_BASE_LIMITS_H
#define SPINFAULT_BASE_LIMITS_H

// ingest/
#define LIMIT_LINE_BYTES     (16u << 20)  // one line of any text format
#define LIMIT_FRAMES         65536u       // frames of one call chain
#define LIMIT_SKIPPED_SHOWN  20u          // skipped lines reported one by one; the rest is counted
#define LIMIT_DOCUMENT_BYTES (256u << 20) // JSON and XML inputs, which are read whole
#define LIMIT_CSV_COLUMNS    4096u
#define LIMIT_RUNS_PER_FILE  1000000u
#define LIMIT_DETECT_BYTES   65536u // what format detection looks at

// analyzer/
#define LIMIT_SOURCE_BYTES (64u << 20) // one source file
#define LIMIT_COMPDB_BYTES (1u << 30)
#define LIMIT_GUESSED_FILES                                                                        \
    20000u // of a tree without compile_commands.json, besides those asked for
#define LIMIT_MODEL_BYTES    (4u << 20)
#define LIMIT_CONFIG_BYTES   (1u << 20)   // .spinfault.ini
#define LIMIT_BLOCKS         200000u      // basic blocks of one function
#define LIMIT_AST_DEPTH      12000u       // nesting of one function's AST
#define LIMIT_PATH_STEPS     24u          // steps of an access path; longer ones end in "…"
#define LIMIT_STUCK_SECONDS  10u          // libclang may use no CPU after it crashed
#define LIMIT_LOCKS_HELD     16u          // locks tracked at once
#define LIMIT_SUMMARY_ROUNDS 10u          // rounds of a recursive group of functions
#define LIMIT_CACHE_BYTES    (256u << 20) // what scans keep for the next one, in an archive

// report/
#define LIMIT_REPORT_BYTES   (5u << 20)
#define LIMIT_COMPARE_VALUES 1000000u // numbers in one file of compare --values
#define LIMIT_EXCERPT_LINES  60u

#endif
