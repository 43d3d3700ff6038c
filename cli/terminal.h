// Colour and progress, for people at a terminal only.
#ifndef SPINFAULT_CLI_TERMINAL_H
#define SPINFAULT_CLI_TERMINAL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// True when `out` is a terminal that shows colours and NO_COLOR is not set.
bool terminal_colour(FILE *out);

// One line on stderr that is written over. It appears when stderr is a terminal and the work has
// taken a second. It may be updated from any thread.
struct progress {
    GMutex lock;
    bool enabled;
    int64_t started_us, shown_us;
    bool visible;
};
void progress_init(struct progress *progress, bool quiet);
// `unit` is "files" or "bytes" (shown as MB); `total` 0 is unknown; `label` may be NULL.
void progress_show(struct progress *progress, uint64_t done, uint64_t total, const char *unit,
                   const char *label);
// Takes the line away, so that something else can be printed. It may come back.
void progress_hide(struct progress *progress);
void progress_clear(struct progress *progress); // hides it and frees what it holds

#endif
