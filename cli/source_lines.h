// Lines of source files, for excerpts under a finding.
#ifndef SPINFAULT_CLI_SOURCE_LINES_H
#define SPINFAULT_CLI_SOURCE_LINES_H

#include <glib.h>

struct source_lines {
    char *path;   // of the file whose lines are here
    char **lines; // NULL when it cannot be read
    guint n_lines;
};
// The line as it is in the file, without its end, or NULL. Lent until the next call.
const char *source_line(struct source_lines *source, const char *root, const char *file,
                        unsigned line);
void source_lines_clear(struct source_lines *source);

#endif
