// The table of formats.
#ifndef SPINFAULT_INGEST_FORMATS_H
#define SPINFAULT_INGEST_FORMATS_H

#include "context.h"

struct ingest_format {
    const char *name;    // what --as takes
    const char *summary; // one line
    // How sure it is that `head`, the first bytes of the text, is of this format: 0 (it is not) to
    // 100. The highest wins, the first in the table among equals.
    int (*detect)(struct slice head);
    bool (*parse)(struct ingest *in, GError **error);
};

extern const struct ingest_format *const ingest_format_table[];
extern const size_t ingest_format_count;

// By `name`, else by content. Errors: UNKNOWN.
const struct ingest_format *format_find(const char *name, const char *path, struct slice head,
                                        GError **error);

// For detect functions: the next line of `rest`, without its end; false when there is none. A last
// line that is cut off by the end of the head is delivered too.
bool head_line(struct slice *rest, struct slice *line);

#endif
