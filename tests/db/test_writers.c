// Several writers at once, and readers beside them.
#include "support.h"

#include "handle.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define WRITERS 8
#define FILES   5

// Eight processes that begin with no archive at all: all files are there once, none failed.
static void many(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    pid_t children[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        g_assert_cmpint(children[i], >=, 0);
        if (children[i] > 0)
            continue;
        struct archive *a = open_ok(path, ARCHIVE_WRITE);
        for (int k = 0; k < FILES; k++) {
            g_autofree char *content = g_strdup_printf("writer %d file %d", i, k);
            if (k % 2)
                feed_profile(a, content, 500);
            else
                feed_runs(a, content);
        }
        g_autofree char *root = g_strdup_printf("/tree/%d", i);
        feed_scan(a, root, i, (const char *const[]){"ff", NULL});
        archive_close(a);
        _exit(0);
    }
    for (int i = 0; i < WRITERS; i++) {
        int status;
        g_assert_cmpint(waitpid(children[i], &status, 0), ==, children[i]);
        g_assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM source"), ==, (gint64)WRITERS * FILES);
    g_assert_cmpint(number_in(path, "SELECT count(DISTINCT sha256) FROM source"), ==,
                    (gint64)WRITERS * FILES);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM sample"), ==, (gint64)WRITERS * 2 * 500);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM scan"), ==, WRITERS);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM pragma_foreign_key_check"), ==, 0);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM string GROUP BY text "
                                    "ORDER BY 1 DESC LIMIT 1"),
                    ==, 1);
    folder_free(folder);
}

static void count_notice(void *context, const char *path)
{
    g_assert_nonnull(path);
    ++*(int *)context;
}

// A writer that holds the lock: others wait, are told once, and give up with BUSY; readers read.
static void busy(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "one");
    assert_ok(archive_begin(a, &error), error);

    int notices = 0;
    const struct archive_waiting waiting = {1300, count_notice, &notices};
    struct archive *b = archive_open_waiting(path, ARCHIVE_WRITE, &waiting, &error);
    if (b) { // opening an archive that is up to date needs no lock
        g_assert_false(archive_begin(b, &error));
        archive_close(b);
    }
    g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_BUSY);
    g_assert_nonnull(strstr(error->message, path));
    g_clear_error(&error);
    g_assert_cmpint(notices, ==, 1);

    struct archive *reader = open_ok(path, ARCHIVE_READ);
    g_autoptr(GPtrArray) runs = archive_runs(reader, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(runs->len, ==, 3);
    archive_close(reader);
    archive_rollback(a);
    archive_close(a);
    folder_free(folder);
}

// Two that write, one of which has to wait for the other: both succeed.
static void wait_for_it(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "one");
    archive_close(a);
    int ready[2];
    g_assert_cmpint(pipe(ready), ==, 0);
    pid_t child = fork();
    g_assert_cmpint(child, >=, 0);
    if (child == 0) {
        a = open_ok(path, ARCHIVE_WRITE);
        if (!archive_begin(a, NULL) || write(ready[1], "x", 1) != 1)
            _exit(1);
        g_usleep(300000);
        archive_rollback(a);
        feed_runs(a, "of the child");
        archive_close(a);
        _exit(0);
    }
    char byte;
    g_assert_cmpint(read(ready[0], &byte, 1), ==, 1);
    gint64 start = g_get_monotonic_time();
    a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "of the parent");
    archive_close(a);
    g_assert_cmpint(g_get_monotonic_time() - start, >=, 200000);
    int status;
    g_assert_cmpint(waitpid(child, &status, 0), ==, child);
    g_assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    g_assert_cmpint(number_in(path, "SELECT count(*) FROM source"), ==, 3);
    close(ready[0]);
    close(ready[1]);
    folder_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/writers/many", many);
    g_test_add_func("/db/writers/busy", busy);
    g_test_add_func("/db/writers/wait", wait_for_it);
    return g_test_run();
}
