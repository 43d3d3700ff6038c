// report: an archive as a page people read, or as Markdown, JSON, CSV or one chart.
#ifndef SPINFAULT_REPORT_H
#define SPINFAULT_REPORT_H

#include <glib.h>
#include <stdbool.h>

#include "spinfault/base.h"
#include "spinfault/db.h"

struct report_options {
    const char *format;       // "html" (default), "markdown", "json", "csv", "svg", "png", "pdf"
    const char *output;       // a path; "-" is standard output; written whole or not at all
    const char *baseline;     // "preempt=none,page=4K": what ratios are against; NULL: chosen
    const char *template_dir; // stylesheets that replace the built-in ones; or NULL
    const char *title;        // or NULL
    const char *chart;        // for svg and png: which chart; NULL: the first
    const char *profiles;     // IDs of two profiles to compare, "1,3"; NULL: chosen
    int64_t thread;           // flame graphs of this thread only; 0: of all
    double from_s, to_s;      // and of this time, from the first sample on; to 0: of all
    const char *metric;       // of the grids; NULL: chosen
    double threshold;         // of the gate, relative; 0: 0.05
    const struct run_filter *filter; // or NULL
};

// What the report says, so that the command line can end with it.
struct report_verdict {
    char *heading;                                  // the page's h1, plain text
    unsigned slower, faster, same, unsure, missing; // cells of the grid
    unsigned findings_high;
};
void report_verdict_clear(struct report_verdict *v);

// Errors: NOT_FOUND (nothing in the archive to report on, no such directory), IO, UNKNOWN (format,
// chart), DAMAGED (template), UNAVAILABLE, and the archive's.
bool report_write(struct archive *archive, const struct report_options *options,
                  struct report_verdict *verdict, GError **error);

#endif
