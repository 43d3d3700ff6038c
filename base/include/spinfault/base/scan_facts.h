// What the analyzer finds. Facts are lent: a sink that keeps one copies it.
// Paths are relative to the scanned root, with '/'. Lines and columns count from 1; 0 is "unknown".
#ifndef SPINFAULT_BASE_SCAN_FACTS_H
#define SPINFAULT_BASE_SCAN_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum severity { SEVERITY_NONE, SEVERITY_LOW, SEVERITY_MEDIUM, SEVERITY_HIGH };
enum confidence { CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH };
// Is there one such lock for everybody, or one in each of many objects?
enum lock_scope { SCOPE_UNKNOWN, SCOPE_SINGLETON, SCOPE_INSTANCE };
enum lock_mode { MODE_EXCLUSIVE, MODE_SHARED, MODE_TRY };
enum residency {
    RESIDENCY_UNKNOWN,
    RESIDENCY_SAME_PAGE,      // on the page of the lock word, which the acquire has just written
    RESIDENCY_TOUCHED_BEFORE, // on every path before the acquire
    RESIDENCY_STACK,          // stack, registers, small thread-locals
    RESIDENCY_MODEL,          // a model says so
    RESIDENCY_MAY_FAULT,
};
// Why an access may fault.
enum fault_why {
    WHY_NONE,
    WHY_RUN_TIME_INDEX, // element of a big array, chosen at run time
    WHY_POINTER,        // behind a pointer followed under the lock
    WHY_OTHER_PAGE,     // same object, too far from the lock word
    WHY_COPY,           // a copy of many bytes
    WHY_FRESH_HEAP,     // memory just allocated
    WHY_FRESH_MAPPING,  // memory just mapped
    WHY_WALK,           // a loop that walks memory
    WHY_GLOBAL,         // a global variable this path has not touched
};
enum call_effect {
    EFFECT_UNKNOWN,
    EFFECT_PURE,
    EFFECT_TOUCHES,
    EFFECT_SYSCALL,
    EFFECT_BLOCKS,
    EFFECT_ALLOCATES,
    EFFECT_LOGS,
    EFFECT_NO_RETURN,
};
enum file_status { FILE_PARSED, FILE_DEGRADED, FILE_FAILED, FILE_SKIPPED };

// The words of docs and JSON for the values above: "high", "same-page", "run-time-index", …
// `*_parse` return false for an unknown word.
const char *severity_name(enum severity v);
const char *confidence_name(enum confidence v);
const char *lock_scope_name(enum lock_scope v);
const char *lock_mode_name(enum lock_mode v);
const char *residency_name(enum residency v);
const char *fault_why_name(enum fault_why v);
const char *call_effect_name(enum call_effect v);
const char *file_status_name(enum file_status v);
bool severity_parse(const char *text, enum severity *v);
bool confidence_parse(const char *text, enum confidence *v);
bool lock_scope_parse(const char *text, enum lock_scope *v);
bool lock_mode_parse(const char *text, enum lock_mode *v);
bool residency_parse(const char *text, enum residency *v);
bool fault_why_parse(const char *text, enum fault_why *v);
bool call_effect_parse(const char *text, enum call_effect *v);
bool file_status_parse(const char *text, enum file_status *v);

// One place a section touches memory.
struct access_fact {
    unsigned line;
    const char *object; // as normalised for people: "slots[].next_free"
    bool write;
    enum residency residency;
    enum fault_why why; // WHY_NONE unless residency is RESIDENCY_MAY_FAULT
    uint64_t bytes;     // of this access; 0 unknown
    uint64_t
        pages_4k; // pages of 4 KiB the object spans when its size is known or assumed; 0 unknown
};

// One call inside a section.
struct call_fact {
    unsigned line;
    const char *name; // callee, or the expression of an indirect call
    enum call_effect effect;
};

// One critical section: one acquire site.
struct section_fact {
    const char *file, *function;
    unsigned acquire_line;
    const unsigned *release_lines; // in the acquiring function, ascending
    size_t n_release_lines;
    const char *api, *model; // "SpinLockAcquire", "postgresql"
    const char *lock;        // as normalised for people: "pool->guard"
    enum lock_scope scope;
    enum lock_mode mode;
    bool entered_held; // the function is entered with this lock held
    bool left_held;    // the caller gets the lock back held
    unsigned cost;     // estimated, in units of one cached memory access
    const struct access_fact *accesses;
    size_t n_accesses;
    const struct call_fact *calls;
    size_t n_calls;
    // The source around the section, so that a report needs no source tree. NULL when unread.
    const char *excerpt;   // lines joined with '\n'
    unsigned excerpt_line; // number of its first line
};

struct path_step {
    const char *file;
    unsigned line;
    const char *what; // "acquired", "read of slots[].next_free may fault", "released"
};

struct finding_fact {
    const char *rule; // "fault-under-lock"
    enum severity severity;
    enum confidence confidence;
    const char *file;
    unsigned line, column;
    const char *function, *lock;
    unsigned acquire_line; // in `file`; 0 when the finding has no section
    const char *object;    // what it is about: an access path or a callee; "" when nothing
    const char *message, *suggestion;
    const char *fingerprint; // hex of rule, function, lock and object; never of a line number
    bool suppressed, baseline;
    const struct path_step *path;
    size_t n_path;
};

// A file that was not plainly parsed.
struct file_fact {
    const char *file;
    enum file_status status;
    const char *why;
};

// What a scan was of. `started_ns` is in ns since the epoch.
struct scan_fact {
    const char *root;    // absolute
    const char *version; // of spinfault
    const char *commit;  // of the scanned tree, or NULL
    int64_t started_ns;
};

struct scan_summary {
    unsigned files;  // asked for: all of the compile database, or those under the paths given
    unsigned parsed; // that may take a lock: parsed now, or in an earlier scan
    unsigned cached; // those whose result was kept from an earlier scan
    unsigned degraded, failed, skipped;
    unsigned sections;
    unsigned findings[SEVERITY_HIGH + 1]; // by severity, neither suppressed nor in the baseline
    unsigned suppressed, baseline;
    double seconds;
};

#endif
