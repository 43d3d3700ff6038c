// Findings nobody asked for: of disabled rules, and below a threshold.
#ifndef SPINFAULT_CLI_SCAN_FILTER_H
#define SPINFAULT_CLI_SCAN_FILTER_H

#include "scan_settings.h"

// A sink before all others. It drops findings and takes them from the counts of the summary.
struct scan_filter {
    struct fact_sink sink;
    const struct fact_sink *next;
    const struct scan_thresholds *thresholds;
    char *const *disabled;       // rules; NULL: none
    struct scan_summary summary; // what it dropped, in the fields for findings
    unsigned dropped;
};

// `disabled` and `thresholds` are lent.
void scan_filter_init(struct scan_filter *filter, const struct scan_thresholds *thresholds,
                      char *const *disabled, const struct fact_sink *next);

#endif
