// Baselines: the findings one has decided to live with. A baseline is a text file, one line for
// each fingerprint, so that a change of it can be reviewed:
//     FINGERPRINT COUNT RULE FILE FUNCTION
// Lines that begin with # are comments. Only the first two words are read back.
#ifndef SPINFAULT_CLI_SCAN_BASELINE_H
#define SPINFAULT_CLI_SCAN_BASELINE_H

#include "spinfault/base.h"

// A sink between the analyzer and those who show or keep its facts. It marks what the baseline
// covers and corrects the counts of the summary.
struct scan_baseline {
    struct fact_sink sink;
    const struct fact_sink *next;
    GHashTable *known;            // fingerprint -> how many may still come; NULL: no baseline
    GHashTable *found;            // fingerprint -> struct baseline_entry; NULL: none is written
    struct scan_summary summary;  // corrected; valid once the scan has ended
    void (*shows)(void *context); // called before something may be printed; or NULL
    void *shows_context;
};

void scan_baseline_init(struct scan_baseline *baseline, const struct fact_sink *next);
// Errors: NOT_FOUND, IO, DAMAGED with file:line.
bool scan_baseline_read(struct scan_baseline *baseline, const char *path, GError **error);
// Asks to remember the findings of the scan, and afterwards writes them.
void scan_baseline_record(struct scan_baseline *baseline);
bool scan_baseline_write(struct scan_baseline *baseline, const char *path, GError **error);
void scan_baseline_clear(struct scan_baseline *baseline);

#endif
