// Compile databases: which files there are and how each is compiled.
//
// The root is the directory that holds compile_commands.json (when that is a build folder without
// sources, the deepest one that holds them all), else the first PATH's directory.
// Flags are cut down to those a front end cares about (compdb_args.c): a database is written for
// another compiler as often as not, and libclang refuses what it does not know.
#ifndef SPINFAULT_ANALYZER_COMPDB_H
#define SPINFAULT_ANALYZER_COMPDB_H

#include <glib.h>
#include <stdbool.h>

#include "spinfault/analyzer.h"

struct compdb_entry {
    char *path;      // absolute, canonical
    char *name;      // relative to the root with '/', or the path when outside it
    char *directory; // the compiler's working directory, absolute
    char **args;     // cleaned; neither the compiler nor the file
    bool selected;   // under one of the paths asked for
    bool named;      // is one of them
    bool missing;    // not there, or not to be had
};

struct compdb {
    char *root;                 // absolute, canonical
    char *top;                  // of the tree that the root is in, where that was guessed; or NULL
    GPtrArray *entries;         // struct compdb_entry*, by name, each file once
    GPtrArray *others;          // char*: names of files asked for that are not C, sorted
    const char *const *ignored; // lent by the options
};

// What options->note is to be told about arguments that were left out.
struct compdb_dropped {
    GHashTable *options; // option -> number of files
    unsigned other_languages;
};

struct compdb *compdb_load(const struct scan_options *options, GError **error);
void compdb_free(struct compdb *db); // accepts NULL

// ---- Parts, for compdb*.c and tests.

// Reads compile_commands.json text; `add` gets each command as it is written there (directory and
// file as given, argv with the compiler first). Errors: DAMAGED with file:line.
typedef void (*compdb_add)(void *context, const char *directory, const char *file, char **argv);
bool compdb_parse(const char *text, size_t bytes, const char *where, compdb_add add, void *context,
                  GError **error);

// The arguments that matter of `argv` (compiler first, response files expanded against
// `directory`). NULL when the command does not compile C.
char **compdb_clean(char *const *argv, const char *file, const char *directory,
                    struct compdb_dropped *dropped);

// The tree that `directory` is in: the nearest folder from there upwards that has an include
// folder; NULL when there is none, or it is no project's. The result is the caller's.
char *compdb_tree_top(const char *directory);

// Flags for a tree nobody described: the root, its include folders, those with headers unless they
// are for another system or processor, and _GNU_SOURCE.
char **compdb_guess(const char *root);

// The option for the C standard that the file's words ask for, or NULL: what C23 added as keywords
// is an error in the compiler's default.
const char *compdb_guess_standard(const char *path);

// Every C file below `path`, or `path` itself, as absolute names. Links to what is below `path`
// anyway are left alone.
void compdb_collect(const char *path, GPtrArray *files);

// Whether the options ask to leave out what is at this absolute path.
bool compdb_ignores(const struct compdb *db, const char *path);

// `path` relative to `root` with '/' when inside it, else itself. The result is the caller's.
char *compdb_relative(const char *root, const char *path);

#endif
