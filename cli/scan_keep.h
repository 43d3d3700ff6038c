// What scans keep for each other, in the archive. Trouble with it costs time, never a scan: it is
// told once.
#ifndef SPINFAULT_CLI_SCAN_KEEP_H
#define SPINFAULT_CLI_SCAN_KEEP_H

#include "spinfault/analyzer.h"
#include "spinfault/db.h"

struct scan_keep {
    struct scan_cache cache; // for scan_options
    struct archive *archive;
    void (*note)(void *context, const char *text);
    void *note_context;
    bool broken; // was told
};

// All is lent.
void scan_keep_init(struct scan_keep *keep, struct archive *archive,
                    void (*note)(void *context, const char *text), void *note_context);

#endif
