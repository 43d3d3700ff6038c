// scan: reads C sources and delivers sections and findings to a sink.
#ifndef SPINFAULT_ANALYZER_H
#define SPINFAULT_ANALYZER_H

#include <glib.h>
#include <stdbool.h>

#include "spinfault/base.h"

// Results of earlier scans, kept by whoever calls: bytes under a key, which say nothing to him.
// What is lost, damaged or refused is worked out again. Called only from scan_run()'s thread, and
// never between the sink's begin and end.
struct scan_cache_entry {
    const char *key; // hex digits
    GBytes *value;   // NULL: what is there was used again
};
struct scan_cache {
    void *context;
    GBytes *(*get)(void *context, const char *key); // NULL: nothing; else the caller's
    void (*put)(void *context, const struct scan_cache_entry *entries, size_t n);
};

struct scan_options {
    const char *const *paths;      // files and folders to report on, NULL-terminated; NULL: all
    const char *build_dir;         // holds compile_commands.json; NULL: looked for, then guessed
    const char *const *clang_args; // given after --, NULL-terminated; or NULL
    const char *const *extra_args; // given to clang for every file besides its own; or NULL
    // Globs of absolute paths, NULL-terminated, or NULL: such files, and what lies below such
    // folders, are not reported on unless `paths` names them. * matches / too.
    const char *const *ignored;
    const char *const *models;      // model files besides the built-in ones; or NULL
    const char *const *assumptions; // "NBuffers=15728640"; or NULL
    unsigned jobs;                  // 0: one a processor
    const struct scan_cache *cache; // or NULL
    // Called from any thread, one call at a time; or NULL.
    void (*progress)(void *context, unsigned done, unsigned total, const char *file);
    void *progress_context;
    // A sentence for the user that is no error ("no compile_commands.json, guessing -I…"); or NULL.
    void (*note)(void *context, const char *text);
    void *note_context;
};

// Scans and delivers everything to `sink`, in the same order whatever `jobs` is: by file, then
// line. A file that does not parse is a fact (sink->file), not an error. `summary` is filled on
// success. Errors: USAGE (no input), NOT_FOUND, DAMAGED (compile database, model), and the sink's.
bool scan_run(const struct scan_options *options, const struct fact_sink *sink,
              struct scan_summary *summary, GError **error);

// The rules, for `explain` and SARIF.
struct rule_info {
    const char *name;    // "fault-under-lock"
    const char *summary; // one line
    const char *help;    // the page of docs/rules, Markdown
};
const struct rule_info *analyzer_rules(size_t *n);

#endif
