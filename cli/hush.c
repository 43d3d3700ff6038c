// libclang reports a crash with a block of lines, from the thread that crashed:
//     libclang: crash detected during parsing: {
//       'source_filename' : …
//     }
// There is no way to ask it not to, but glibc allows `stderr` to be set like any variable.
#include "hush.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__
static bool starts(const char *text, size_t n, const char *prefix)
{
    size_t length = strlen(prefix);
    return n >= length && memcmp(text, prefix, length) == 0;
}

static ssize_t write_through(const char *text, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t more = write(STDERR_FILENO, text + done, n - done);
        if (more < 0 && errno != EINTR)
            return 0; // as fopencookie wants it
        done += more > 0 ? (size_t)more : 0;
    }
    return (ssize_t)n;
}

// The stream has no buffer, so that each call of fprintf arrives here by itself, in its thread.
static ssize_t write_rest(void *cookie, const char *text, size_t n)
{
    static _Thread_local bool inside;
    (void)cookie;
    if (starts(text, n, "libclang: crash detected"))
        inside = true;
    if (inside) {
        inside = !starts(text, n, "}\n");
        return (ssize_t)n;
    }
    if (starts(text, n, "LIBCLANG FATAL ERROR"))
        return (ssize_t)n;
    return write_through(text, n);
}

void hush_libclang(void)
{
    static bool done;
    FILE *filter =
        done ? NULL : fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_rest});
    if (!filter)
        return;
    setvbuf(filter, NULL, _IONBF, 0);
    fflush(stderr);
    stderr = filter;
    done = true;
}
#else
void hush_libclang(void)
{
}
#endif
