// perf.data, through the perf program, which alone knows all of its versions. What perf prints on
// standard error and how it ends are told: a recording that perf could only half read is not taken.
#include "formats.h"
#include "lines.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern const struct ingest_format format_perf_script;

// What is asked for beside the default fields, the most first: perf refuses to print what a
// recording has not.
static const char *const extras[] = {"+pid,+addr", "+pid", NULL};

struct child {
    GPid pid;
    int output;
    int messages; // a memory file: a pipe that nobody reads would block perf
};

static void redirect(gpointer data)
{
    dup2(GPOINTER_TO_INT(data), STDERR_FILENO);
}

static bool start(struct child *c, const char *path, const char *fields, GError **error)
{
    const char *argv[] = {"perf",
                          "script",
                          "-i",
                          path,
                          "--show-mmap-events",
                          "--show-task-events",
                          "--show-lost-events",
                          "-F",
                          fields,
                          NULL};
    g_autoptr(GError) problem = NULL;
    c->messages = memfd_create("perf-messages", MFD_CLOEXEC);
    // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): GSpawnFlags are bits
    const GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD;
    if (!g_spawn_async_with_pipes(NULL, (char **)argv, NULL, flags, redirect,
                                  GINT_TO_POINTER(c->messages), &c->pid, NULL, &c->output, NULL,
                                  &problem)) {
        close(c->messages);
        return error_set(error, SPINFAULT_ERROR_UNAVAILABLE,
                         "%s is a perf.data file, and perf cannot be run to read it (%s); install "
                         "perf, or give the output of `perf script`",
                         path, problem->message);
    }
    return true;
}

// The last line that perf wrote on standard error. The caller's.
static char *last_message(struct child *c)
{
    char text[4096];
    off_t size = lseek(c->messages, 0, SEEK_END);
    ssize_t n = pread(c->messages, text, sizeof text - 1, MAX(0, size - (off_t)sizeof text + 1));
    text[MAX(n, 0)] = '\0';
    char *end = g_strchomp(text);
    char *line = strrchr(end, '\n');
    return text_printable(slice_from(line ? line + 1 : end));
}

// Waits for perf. False when it failed, with its words; else what it said is in `said`, if
// anything.
static bool finish(struct child *c, const char *path, char **said, GError **error)
{
    int status = 0;
    waitpid(c->pid, &status, 0);
    g_spawn_close_pid(c->pid);
    g_autofree char *message = last_message(c);
    close(c->messages);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        if (said && *message)
            *said = g_steal_pointer(&message);
        return true;
    }
    return error_set(error, SPINFAULT_ERROR_DAMAGED, "perf script failed on %s: %s", path,
                     *message ? message : "it gave no reason");
}

static struct reader *open_output(struct child *c, const char *path, GError **error)
{
    for (size_t attempt = 0; attempt < G_N_ELEMENTS(extras); attempt++) {
        g_autoptr(GError) refused = NULL;
        if (!start(c, path, extras[attempt], error))
            return NULL;
        struct reader *reader = reader_open_fd(c->output, path, error);
        if (!reader) {
            kill(c->pid, SIGTERM);
            finish(c, path, NULL, NULL);
            return NULL;
        }
        if (reader_head(reader).len > 0)
            return reader;
        reader_close(reader);
        if (finish(c, path, NULL, &refused)) {
            error_set(error, SPINFAULT_ERROR_DAMAGED, "%s holds no samples", path);
            return NULL;
        }
        if (!extras[attempt])
            g_propagate_error(error, g_steal_pointer(&refused));
    }
    return NULL;
}

static bool parse(struct ingest *in, GError **error)
{
    struct child child;
    if (strcmp(in->path, "-") == 0)
        return error_set(error, SPINFAULT_ERROR_USAGE,
                         "perf.data cannot be read from standard input; name the file, or pipe the "
                         "output of `perf script`");
    struct reader *file = in->reader, *output = open_output(&child, in->path, error);
    if (!output)
        return false;
    in->reader = output;
    bool ok = format_perf_script.parse(in, error);
    in->reader = file;
    reader_close(output);
    if (!ok)
        kill(child.pid, SIGTERM);
    g_autofree char *said = NULL;
    ok = finish(&child, in->path, &said, ok ? error : NULL) && ok;
    return ok && (!said || ingest_skip(in, 0, "said by perf", slice_from(said), error));
}

static int detect(struct slice head)
{
    return slice_starts(head, "PERFILE2") || slice_starts(head, "2ELIFREP") ? 100 : 0;
}

const struct ingest_format format_perf_data = {
    .name = "perf-data",
    .summary = "perf.data, read with the installed perf program",
    .detect = detect,
    .parse = parse,
};
