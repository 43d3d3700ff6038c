// Errors. A library returns a GError in this domain and never prints or exits. The message is one
// sentence a user can act on: what, where (file:line), what to do. It has no trailing full stop and
// no newline; cli/ adds the program's name.
#ifndef SPINFAULT_BASE_ERROR_H
#define SPINFAULT_BASE_ERROR_H

#include <glib.h>
#include <stdbool.h>

#define SPINFAULT_ERROR spinfault_error_quark()
GQuark spinfault_error_quark(void);

// The codes a caller may test. Everything else that differs is in the message.
enum spinfault_error {
    SPINFAULT_ERROR_USAGE,       // what was asked for makes no sense
    SPINFAULT_ERROR_IO,          // the system said no: open, read, write, disk full
    SPINFAULT_ERROR_DAMAGED,     // the input is not what it claims to be
    SPINFAULT_ERROR_UNKNOWN,     // no format, model, rule, metric … of that name or shape
    SPINFAULT_ERROR_AMBIGUOUS,   // readable in two ways; the message says how to decide
    SPINFAULT_ERROR_LIMIT,       // a named limit of limits.h was hit
    SPINFAULT_ERROR_DUPLICATE,   // that content is in the archive already
    SPINFAULT_ERROR_NEWER,       // written by a newer spinfault
    SPINFAULT_ERROR_BUSY,        // another process holds the archive
    SPINFAULT_ERROR_NOT_FOUND,   // no such file, archive, run …
    SPINFAULT_ERROR_UNAVAILABLE, // a helper program or library feature is missing
};

// Sets `error` from errno: "cannot ACTION PATH: No space left on device". Returns false, so that
// `return error_from_errno(...)` reads well.
bool error_from_errno(GError **error, int errnum, const char *action, const char *path);

// Sets `error` to a message in printf form. Returns false.
bool error_set(GError **error, enum spinfault_error code, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

#endif
