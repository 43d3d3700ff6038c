// What the parts that fill a compile database share: compdb.c and compdb_select.c.
#ifndef SPINFAULT_ANALYZER_COMPDB_LOAD_H
#define SPINFAULT_ANALYZER_COMPDB_LOAD_H

#include "compdb.h"

struct loading {
    const struct scan_options *options;
    struct compdb *db;
    GHashTable *by_path; // path -> struct compdb_entry*
    GHashTable *others;  // paths that are not C
    bool guesses;        // nobody said any flags
    struct compdb_dropped dropped;
};

// `args` is taken over.
struct compdb_entry *compdb_add_entry(struct loading *loading, const char *path,
                                      const char *directory, char **args);
// Tells the user, as printf does.
void compdb_note(const struct scan_options *options, const char *format, ...) G_GNUC_PRINTF(2, 3);

// Whether `path` is `directory` or below it.
bool compdb_under(const char *path, const char *directory);
// Files of other languages, as far as their names tell.
bool compdb_other_language(const char *path);
// Whether the path, said as `given`, is a file or a folder. Errors: NOT_FOUND, USAGE.
bool compdb_check_path(const char *given, const char *path, GError **error);

// Marks what options->paths ask for as selected, adds files the database says nothing of, and lists
// those that are not C. Errors: NOT_FOUND, USAGE when nothing is left.
bool compdb_select(struct loading *loading, GError **error);

#endif
