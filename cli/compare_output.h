// Formats of `spinfault compare`. A format is one function and one row in command_compare.c.
#ifndef SPINFAULT_CLI_COMPARE_OUTPUT_H
#define SPINFAULT_CLI_COMPARE_OUTPUT_H

#include "spinfault/compare.h"

struct compare_view {
    const struct compare_result *result;
    const char *base, *fresh; // what was asked for, as typed
    bool quiet, verbose;
};

bool compare_print_text(const struct compare_view *view, GError **error);
bool compare_print_json(const struct compare_view *view, GError **error);
bool compare_print_markdown(const struct compare_view *view, GError **error);
bool compare_print_csv(const struct compare_view *view, GError **error);

// What several of them say. Results are the caller's.
char *compare_centre_text(const struct compare_cell *cell, const struct compare_side *side);
char *compare_ratio_text(double ratio);                       // "0.51×", three decimals near 1
char *compare_interval_text(const struct compare_cell *cell); // "0.49 – 0.53"; NULL without one
char *compare_runs_text(const struct compare_cell *cell);     // "5+5"
char *compare_verdict_text(const struct compare_cell *cell);  // "▼ slower"
// "3 cells: 1 slower, 2 no difference; 1 missing."
char *compare_counts_text(const struct compare_result *result);
// Sentences that explain the table, those that apply (of char *).
GPtrArray *compare_notes(const struct compare_result *result);

#endif
