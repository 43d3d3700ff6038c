// A file appears under its name only when all of it is on disk: it is written beside its place and
// renamed.
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "spinfault/base/error.h"

static bool write_all(int fd, const char *data, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, data, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        data += n;
        len -= (size_t)n;
    }
    return true;
}

static bool write_beside(const char *path, const char *data, size_t len, GError **error)
{
    g_autofree char *temporary = g_strconcat(path, ".XXXXXX", NULL);
    int fd = g_mkstemp_full(temporary, O_WRONLY | O_CLOEXEC, 0666);
    if (fd < 0)
        return error_from_errno(error, errno, "create", path);
    bool ok = write_all(fd, data, len) && fsync(fd) == 0;
    int failure = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        failure = errno;
    }
    if (ok && g_rename(temporary, path) == 0)
        return true;
    failure = ok ? errno : failure;
    g_unlink(temporary);
    return error_from_errno(error, failure, "write", path);
}

bool output_write(const char *path, const char *data, size_t len, GError **error)
{
    if (!path || strcmp(path, "-") == 0) {
        if (write_all(STDOUT_FILENO, data, len))
            return true;
        return error_from_errno(error, errno, "write", "standard output");
    }
    // A device or a pipe cannot be replaced; what is there is written to as it is.
    if (g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        int fd = g_open(path, O_WRONLY | O_CLOEXEC, 0);
        if (fd < 0)
            return error_from_errno(error, errno, "open", path);
        bool ok = write_all(fd, data, len);
        int failure = errno;
        ok = close(fd) == 0 && ok;
        return ok || error_from_errno(error, failure, "write", path);
    }
    return write_beside(path, data, len, error);
}
