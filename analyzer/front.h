// The front end: from a build directory to `struct ir_unit` (ir.h). The rest of the analyzer sees
// this header and never libclang.
//
// front_new reads the compile database (or the flags, or guesses them and says so), and indexes the
// sources lexically: which files may take a lock, which file defines a function. front_lower parses
// one file and lowers it. Everything but front_new and front_free may be called from many threads
// at once; each front_lower has its own libclang index, and a crash in libclang fails that unit
// only.
//
// What flow analysis may rely on in a lowered unit:
//  - Functions: those defined in the file itself that front_lower was asked for, and those defined
//    in headers that are reached from them by calls (from_header). A callee that is neither is
//    found by front_find_definition() with its name, or nowhere.
//  - A modelled operation is a LOCK_OP, be it a macro or a function, also inside a wrapper. The
//    number of a TRY is what an IR_VALUE_CALL of the branch that follows it names. An ACQUIRE that
//    returns the state (model: returns_state) names it the same way.
//  - A function that a model names as an operation is lowered like any other: whether its own
//    body is looked at is the reader's business (model_find_lock_op(function->name)).
//  - A guard or `cleanup` variable: the call (or LOCK_OP release) stands on every way out of its
//    scope, in reverse order of declaration, located at the brace, return, goto, break or continue
//    that leaves it. Its argument is the ADDRESS of the variable.
//  - A function that takes a lock and that #if switches off in this configuration is there too,
//    from a parse with its branch switched on; it is marked `degraded`, the unit is not.
//  - Locations are those of the outermost macro use. `file` is relative to the root ('/' between
//    names) when inside it, else absolute.
//  - `a && b`, `!`, `?:` in conditions are branches; conditions are comparisons or IR_NONZERO.
//  - `x == 0` and `x != 0` are IR_NONZERO with the targets as they must be.
//  - A whole automatic variable or parameter of scalar type is a register: it is read without an
//    ACCESS, and written by an ASSIGN alone. Structs, arrays and what is behind pointers have both.
//  - The value of a decayed array is the ADDRESS of the array, with is_array and is_pointer in its
//    type. A modelled function of a header has no body in the unit.
//  - Calls whose name starts with "__spinfault_debug_" are IR_DEBUG.
//  - An expression that is not evaluated (sizeof, typeof, dead _Generic arms) leaves no trace.
#ifndef SPINFAULT_ANALYZER_FRONT_H
#define SPINFAULT_ANALYZER_FRONT_H

#include <glib.h>
#include <stdbool.h>

#include "ir.h"
#include "model.h"
#include "spinfault/analyzer.h"

struct front;

// `options` and `models` are lent and must outlive the front. Uses paths, build_dir, clang_args,
// extra_args, ignored, jobs, note. Errors: USAGE (no input at all), NOT_FOUND (path), DAMAGED
// (compile database).
struct front *front_new(const struct scan_options *options, const struct model_set *models,
                        GError **error);
void front_free(struct front *front); // accepts NULL

const char *front_root(const struct front *front); // absolute, lent

// A file as ir_location names it that belongs to what is scanned: not a header of the system.
bool front_is_ours(const struct front *front, const char *file);

// Translation units known, each file once, ordered by name; indices are stable.
unsigned front_n_files(const struct front *front);
const char *front_file_name(const struct front *front, unsigned file); // relative to the root, lent
// Under one of options->paths (always true when there are none).
bool front_file_selected(const struct front *front, unsigned file);
// Is one of options->paths itself, or not there, and so to be looked at even when it takes no lock.
bool front_file_named(const struct front *front, unsigned file);
// Names of files asked for that are not C, `*n` of them, sorted. Lent.
const char *const *front_others(const struct front *front, size_t *n);
// Whether options->ignored covers a file, `file` as in ir_location.
bool front_ignores(const struct front *front, const char *file);

// Files that may take a lock, ascending: only these can have a section of their own. Lent.
const unsigned *front_candidates(const struct front *front, size_t *n);
// The file that defines the external function `name`, or -1. With several the first by name; a
// function static to a file is found only in its own unit.
int front_find_definition(const struct front *front, const char *name);
// The same for a global variable that a unit only declares.
int front_find_global(const struct front *front, const char *name);
bool front_is_candidate(const struct front *front, unsigned file);
// By the text of its definition, may the external function `name` take a lock in its own body?
bool front_may_lock(const struct front *front, const char *name);
// Files whose text mentions the identifier `name`, ascending: callers of a function that turned out
// to leave a lock held, say. Reads the sources again (0.05 s for PostgreSQL). `*n` of them; the
// result is the caller's.
unsigned *front_mentions(const struct front *front, const char *name, size_t *n);

// What to lower of a file. Less is faster; the rest of the file is still parsed.
struct front_wanted {
    // Names of functions (NULL-terminated) besides those that may take a lock; or NULL.
    const char *const *functions;
    bool everything; // every function body of the file
};

// Parses and lowers. `wanted` NULL: everything. Never NULL for a valid index: what went wrong with
// the file is unit->status (FILE_PARSED, FILE_DEGRADED, FILE_FAILED) and unit->why ("src/a.c:12:
// …").
struct ir_unit *front_lower(const struct front *front, unsigned file,
                            const struct front_wanted *wanted);

// ---- For the cache.

struct compdb_entry;
const struct compdb_entry *front_entry(const struct front *front, unsigned file); // lent
int front_file_by_name(const struct front *front, const char *name);              // or -1
// What the lowering of a file depends on besides the files it reads: its arguments, the markers,
// the functions to begin with. Fed to `digest`.
void front_feed(const struct front *front, unsigned file, struct digest *digest);
// libclang is given another text for the file at `path` than the disk's.
bool front_is_overlaid(const struct front *front, const char *path);

// The exact text of lines first..last (from 1, clipped to the file), joined with '\n', no trailing
// newline. `file` as in ir_location. NULL when it cannot be read. The result is the caller's.
char *front_source_lines(const struct front *front, const char *file, unsigned first,
                         unsigned last);

#endif
