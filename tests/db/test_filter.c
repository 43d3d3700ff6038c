// Which runs: KEY=VALUE and a time.
#include "support.h"

static unsigned count(struct archive *a, int64_t since, const char *first, const char *second)
{
    GError *error = NULL;
    const char *const where[] = {first, second, NULL};
    const struct run_filter filter = {where, since};
    g_autoptr(GPtrArray) runs = archive_runs(a, &filter, &error);
    g_assert_no_error(error);
    g_autoptr(GPtrArray) metrics = archive_metrics(a, &filter, "tps", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(metrics->len, ==, runs->len);
    return runs->len;
}

static void conditions(void)
{
    static const struct {
        const char *first, *second;
        unsigned n;
    } cases[] = {
        {NULL, NULL, 3},
        {"preempt=lazy", NULL, 2},
        {"preempt=PREEMPT_LAZY", NULL, 2},
        {"preempt=lazy", "page=4K", 1},
        {"preempt=lazy", "page=4096", 1},
        {"page=2M", NULL, 1},
        {"page=THP", NULL, 0},
        {"clients=1024", NULL, 3},
        {"clients=1", NULL, 0},
        {"vcpus=96", "host=db1", 3},
        {"instance=m8g.24xlarge", NULL, 3},
        {"arch=unknown", NULL, 0}, // of hosts that are known
        {"benchmark=pgbench", "workload=simple update", 3},
        {"workload=tpcb", NULL, 0},
        {"kernel=7.0.0", NULL, 3},
        {"kernel=", NULL, 0},
        {"scale=8470", "status=complete", 3},
        {"scale=1", NULL, 0},
        {"page_kind=unknown", NULL, 3},
        {"preempt=sideways", NULL, 0},
        {"source=1", "run=2", 1},
    };
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "one");
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        unsigned n = count(a, INT64_MIN, cases[i].first, cases[i].second);
        if (n != cases[i].n)
            g_error("%s %s: %u runs, not %u", cases[i].first, cases[i].second, n, cases[i].n);
    }
    g_assert_cmpuint(count(a, 0, NULL, NULL), ==, 2); // an unknown start is after nothing
    g_assert_cmpuint(count(a, 1775000000000000000, "preempt=none", NULL), ==, 1);
    g_assert_cmpuint(count(a, 1775000000000000000, "preempt=lazy", NULL), ==, 0);
    archive_close(a);
    folder_free(folder);
}

static void refused(void)
{
    GError *error = NULL;
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "one");
    static const struct {
        const char *condition;
        int code;
    } cases[] = {
        {"preempt", SPINFAULT_ERROR_USAGE},
        {"=lazy", SPINFAULT_ERROR_USAGE},
        {"prempt=lazy", SPINFAULT_ERROR_UNKNOWN},
        {"scale' OR 1=1 --=8470", SPINFAULT_ERROR_UNKNOWN},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const struct run_filter filter = {(const char *const[]){cases[i].condition, NULL},
                                          INT64_MIN};
        g_assert_null(archive_runs(a, &filter, &error));
        g_assert_error(error, SPINFAULT_ERROR, cases[i].code);
        g_clear_error(&error);
        g_assert_null(archive_metrics(a, &filter, NULL, &error));
        g_clear_error(&error);
    }
    archive_close(a);
    folder_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/filter/conditions", conditions);
    g_test_add_func("/db/filter/refused", refused);
    return g_test_run();
}
