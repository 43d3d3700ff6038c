// The command table. One command is one file, command_NAME.c, and one row in commands.c.
//
// How to add a command:
//   1. Write command_NAME.c with an option table and a run function, and export the row:
//          const struct command command_NAME = {.name = "NAME", …};
//   2. Name it in commands.c (in the order `spinfault help` shows) and in CMakeLists.txt.
//   3. Describe it in docs/man/spinfault.1; tests/cli/check-docs fails until the page and the
//   option
//      table say the same.
//
// A run function parses nothing: the options are set and checked for their type before it is
// called. It validates, works, and returns an exit status. When it fails it sets `error`, whose
// message main() prints as one line, and the status is STATUS_TROUBLE whatever it returns.
#ifndef SPINFAULT_CLI_COMMAND_H
#define SPINFAULT_CLI_COMMAND_H

#include <glib.h>
#include <stdbool.h>

#include "spinfault/db.h"

enum status {
    STATUS_FINE = 0,
    STATUS_FINDINGS = 1, // findings at or above --fail-on, or a regression
    STATUS_TROUBLE = 2,  // usage, I/O, damaged input
    STATUS_UNSURE = 3,   // some file did not parse, too few runs, missing cells
};

// The most a command may do to the archive. A command with COMMAND_ARCHIVE_NONE has no --archive.
enum command_archive_use { COMMAND_ARCHIVE_NONE, COMMAND_ARCHIVE_READ, COMMAND_ARCHIVE_WRITE };

struct command_context {
    const struct command *command;
    const char *const *arguments; // what is no option, NULL-terminated; never NULL
    unsigned n_arguments;
    const char *const *rest;  // what follows "--", NULL-terminated; NULL when there was no "--".
                              // Only for commands that ask for it (takes_rest).
    const char *archive_path; // --archive, else $SPINFAULT_ARCHIVE, else "spinfault.db"
    bool archive_named;       // it was one of the first two
    struct archive *archive;  // once context_archive() has opened it
    bool quiet;               // -q: results only
    bool verbose;             // -v
};

struct command {
    const char *name;
    const char *summary; // one line, no full stop
    const char *usage;   // what follows "spinfault NAME [OPTION…]": "FILE… | -"; may be ""
    const char *details; // paragraphs for `spinfault help NAME`, separated by blank lines; or NULL
    enum command_archive_use archive;
    bool takes_rest;             // what follows "--" is its own, not arguments
    const GOptionEntry *options; // ends with {NULL}; use G_OPTION_ARG_FILENAME for text, so that
                                 // bytes arrive as typed. NULL: only the common options
    enum status (*run)(struct command_context *context, GError **error);
    void (*more_help)(void); // prints what is known only at run time, after the options; or NULL
};

// Opens the archive at its first call and returns it, lent: main() closes it. `mode` may not be
// more than the command's row allows.
struct archive *context_archive(struct command_context *context, enum archive_mode mode,
                                GError **error);

// The options every command has; --archive is among them only where the row asks for it.
const GOptionEntry *command_common_options(const struct command *command);

// All commands, NULL-terminated, in the order of `spinfault help`.
extern const struct command *const commands[];
const struct command *command_find(const char *name); // NULL when there is none
// Sets `error` to "there is no command …", with the nearest name. Returns false.
bool command_unknown(const char *name, GError **error);

extern const struct command command_scan;
extern const struct command command_ingest;
extern const struct command command_report;
extern const struct command command_compare;
extern const struct command command_history;
extern const struct command command_archive;
extern const struct command command_explain;
extern const struct command command_version;
extern const struct command command_help;

#endif
