// What `spinfault archive ACTION` can do. One action is one function and one row in
// command_archive.c.
#ifndef SPINFAULT_CLI_ARCHIVE_ACTIONS_H
#define SPINFAULT_CLI_ARCHIVE_ACTIONS_H

#include <stdio.h>

#include "command.h"
#include "spinfault/base.h"

struct archive_call {
    struct command_context *context;
    struct archive *archive;      // open in the action's mode
    const char *const *arguments; // after the action's name
    unsigned n_arguments;
    struct run_filter filter; // of --where and --since
    bool filtered;            // there was one of them
    bool yes;                 // --yes
    const char *backup;       // --backup, or NULL
    bool salvage;             // --salvage
    // Of an export:
    const char *format;          // --format: json, folded, flamegraph or inferno
    const char *profile;         // --profile, or NULL
    const char *root, *annotate; // --root, --annotate, or NULL
    bool addresses;              // --addresses
};

enum status archive_info(const struct archive_call *call, GError **error);
enum status archive_list(const struct archive_call *call, GError **error);
enum status archive_show(const struct archive_call *call, GError **error);
enum status archive_check(const struct archive_call *call, GError **error);     // verify
enum status archive_back_up(const struct archive_call *call, GError **error);   // backup
enum status archive_make_anew(const struct archive_call *call, GError **error); // rebuild
enum status archive_write_out(const struct archive_call *call, GError **error); // export
enum status archive_take_in(const struct archive_call *call, GError **error);   // import
enum status archive_throw_out(const struct archive_call *call, GError **error); // prune

// Folded stacks, for --format folded and flamegraph.
bool archive_write_folded(const struct archive_call *call, FILE *out, GError **error);

// What several of them print.
char *archive_time_text(int64_t ns);      // "2026-11-30 15:40", NULL for unknown
char *archive_number_text(int64_t value); // with commas; NULL for a negative one

#endif
