// Which file an #include names: include directories, looked up once.
#ifndef SPINFAULT_ANALYZER_LEXINCLUDE_H
#define SPINFAULT_ANALYZER_LEXINCLUDE_H

#include "compdb.h"
#include "lexindex.h"

// Directories of -iquote, -I, -isystem, -idirafter in the order the compiler looks, then the
// system's. Entries with the same options share one.
struct include_dirs {
    GPtrArray *dirs;   // char*, absolute
    GHashTable *found; // name -> path, or "" when there is none
};

struct includes {
    GHashTable *by_options; // joined options -> struct include_dirs*
    GHashTable *exists;     // path -> GINT 1 or 2
};

struct includes *includes_new(void);
void includes_free(struct includes *includes);
struct include_dirs *includes_dirs(struct includes *includes, const struct compdb_entry *entry);
// Lent; NULL when it is nowhere. `from` is the file that says #include.
const char *includes_find(struct includes *includes, struct include_dirs *dirs, const char *from,
                          const struct lex_include *include);
// Files named by -include and -imacros, absolute; the result is the caller's.
GPtrArray *includes_forced(const struct compdb_entry *entry);

#endif
