// What the scan of one unit found, as facts with memory of their own: a worker fills it, the main
// thread delivers it in order.
#ifndef SPINFAULT_ANALYZER_SCAN_RESULT_H
#define SPINFAULT_ANALYZER_SCAN_RESULT_H

#include <glib.h>

#include "spinfault/base.h"

struct foreign_log; // foreign.h

struct scan_result {
    GStringChunk *text;
    GPtrArray *memory;
    GPtrArray *sections;     // struct section_fact*
    GPtrArray *findings;     // struct finding_fact*
    GPtrArray *notes;        // char*, owned by `text`
    struct foreign_log *log; // what it rests on in other files
    // External functions that leave a lock held for their caller or release one of the caller's:
    // whoever calls them may have a section, though its text names no lock. Owned by `text`.
    GPtrArray *lockers; // const char*
    bool from_cache;
    bool has_file;
    struct file_fact file; // when has_file
};

struct scan_result *scan_result_new(void);
void scan_result_free(struct scan_result *result); // accepts NULL
// A copy that lives as long as the result. NULL stays NULL.
const char *scan_result_text(struct scan_result *result, const char *text);
void *scan_result_alloc(struct scan_result *result, size_t bytes);
#define SCAN_RESULT_NEW(result, type, n)                                                           \
    ((type *)scan_result_alloc((result), sizeof(type) * MAX((size_t)(n), 1)))

#endif
