// Formats of `spinfault scan`. A format is one file, scan_NAME.c, that makes a sink, and one row in
// scan_output.c. It gets the facts of one scan in order and writes to `out`; findings that are
// suppressed or in the baseline come too, marked, and the format decides what to say of them.
#ifndef SPINFAULT_CLI_SCAN_OUTPUT_H
#define SPINFAULT_CLI_SCAN_OUTPUT_H

#include <stdio.h>

#include "spinfault/base.h"

struct scan_output_options {
    FILE *out;
    bool colour;
    unsigned width;        // of the terminal; 0: not one
    bool verbose;          // also what is suppressed or in the baseline
    bool has_baseline;     // findings without `baseline` are new
    enum severity fail_on; // SEVERITY_NONE: findings do not matter for the exit status
};

struct scan_output {
    struct fact_sink sink; // its context is this struct, or a longer one that begins with it
    struct scan_output_options options;
    char *root;                               // absolute; from scan_begin
    void (*free)(struct scan_output *output); // frees the whole; NULL: g_free
};

struct scan_format {
    const char *name;
    bool for_people; // counts go to the same place; else to stderr
    struct scan_output *(*create)(void);
};

extern const struct scan_format scan_sections_format;         // what --list-sections makes of text
const struct scan_format *scan_format_find(const char *name); // NULL when there is none
// "text, json, sarif, gcc, github": for messages. The caller's.
char *scan_format_names(void);

struct scan_output *scan_output_new(const struct scan_format *format,
                                    const struct scan_output_options *options);
void scan_output_free(struct scan_output *output); // accepts NULL

// The exit status of a scan: 0, 1 when a finding counts, else 3 when some file is not understood.
int scan_output_status(const struct scan_summary *summary,
                       const struct scan_output_options *options);

// For formats: keeps the root.
bool scan_output_begin(void *context, const struct scan_fact *scan, GError **error);
// "3 findings: 1 high, 2 medium, 0 low. 12 sections …". The caller's.
char *scan_output_counts(const struct scan_summary *summary, bool verbose);

struct scan_output *scan_text_new(void);
struct scan_output *scan_sections_new(void);
struct scan_output *scan_gcc_new(void);
struct scan_output *scan_github_new(void);
struct scan_output *scan_json_new(void);
struct scan_output *scan_sarif_new(void);

#endif
