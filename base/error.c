// Errors of all folders.
#include "spinfault/base/error.h"

#include <errno.h>

G_DEFINE_QUARK(spinfault - error - quark, spinfault_error)

bool error_from_errno(GError **error, int errnum, const char *action, const char *path)
{
    enum spinfault_error code = errnum == ENOENT ? SPINFAULT_ERROR_NOT_FOUND : SPINFAULT_ERROR_IO;
    g_set_error(error, SPINFAULT_ERROR, code, "cannot %s %s: %s", action, path, g_strerror(errnum));
    return false;
}

bool error_set(GError **error, enum spinfault_error code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (error)
        g_propagate_error(error, g_error_new_valist(SPINFAULT_ERROR, (int)code, format, args));
    va_end(args);
    return false;
}
