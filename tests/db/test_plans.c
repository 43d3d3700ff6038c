// Every query of the report finds its rows by an index: no table is read from end to end, save
// those whose every row is asked for.
#include "support.h"

#include "handle.h"

static int gather(unsigned type, void *context, void *statement, void *unused)
{
    (void)unused;
    g_assert_cmpuint(type, ==, SQLITE_TRACE_STMT);
    const char *sql = sqlite3_sql(statement);
    if (g_str_has_prefix(sql, "SELECT"))
        g_hash_table_add(context, g_strdup(sql));
    return 0;
}

// Whether the step is a scan that the query means: all rows, in the order of their key.
static bool is_meant(const char *sql, const char *step, bool filtered)
{
    if (!g_str_has_prefix(step, "SCAN"))
        return true;
    static const char *const whole[] = {
        "FROM source ORDER BY id", "FROM scan ORDER BY", "FROM profile p",
        "FROM wait_sample w",      "FROM environment e", "SELECT (SELECT count(*)",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(whole); i++)
        if (strstr(sql, whole[i]))
            return true;
    // Dictionaries have a few dozen rows.
    static const char *const small[] = {"SCAN k", "SCAN host", "SCAN workload",
                                        "SCAN CONSTANT ROW"};
    for (size_t i = 0; i < G_N_ELEMENTS(small); i++)
        if (strcmp(step, small[i]) == 0)
            return true;
    return !filtered && (strcmp(step, "SCAN r") == 0 || strcmp(step, "SCAN m") == 0);
}

static void explain(struct archive *a, const char *sql, bool filtered)
{
    g_autofree char *text = g_strconcat("EXPLAIN QUERY PLAN ", sql, NULL);
    sqlite3_stmt *statement;
    g_assert_cmpint(sqlite3_prepare_v2(a->db, text, -1, &statement, NULL), ==, SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        const char *step = (const char *)sqlite3_column_text(statement, 3);
        g_test_message("%s", step);
        if (!is_meant(sql, step, filtered))
            g_error("%s\n  reads a whole table: %s", sql, step);
        if (strstr(step, "AUTOMATIC"))
            g_error("%s\n  builds an index each time: %s", sql, step);
    }
    sqlite3_finalize(statement);
}

static void ask(struct archive *a, const struct run_filter *filter)
{
    GError *error = NULL;
    g_autoptr(GPtrArray) runs = archive_runs(a, filter, &error);
    g_assert_no_error(error);
    g_autoptr(GPtrArray) metrics = archive_metrics(a, filter, "tps", &error);
    g_assert_no_error(error);
    g_autoptr(GPtrArray) all_metrics = archive_metrics(a, filter, NULL, &error);
    g_assert_no_error(error);
}

static void ask_rest(struct archive *a)
{
    GError *error = NULL;
    g_array_unref(archive_series(a, 1, "tps", &error));
    g_ptr_array_unref(archive_waits(a, &error));
    g_ptr_array_unref(archive_environment(a, &error));
    g_ptr_array_unref(archive_profiles(a, &error));
    stack_tree_free(archive_stack_tree(a, 1, &error));
    profile_samples_free(archive_profile_samples(a, 1, &error));
    g_ptr_array_unref(archive_scans(a, &error));
    g_ptr_array_unref(archive_sections(a, 1, &error));
    g_ptr_array_unref(archive_findings(a, 1, &error));
    g_ptr_array_unref(archive_scan_files(a, 1, &error));
    g_ptr_array_unref(archive_sources(a, &error));
    g_assert_no_error(error);
}

static void plans(void)
{
    char *folder = folder_new();
    g_autofree char *path = in_folder(folder, "a.db");
    struct archive *a = open_ok(path, ARCHIVE_WRITE);
    feed_runs(a, "one");
    feed_profile(a, "p", 70);
    feed_scan(a, "/src/pg", 1000, (const char *const[]){"aa11", NULL});
    static const char *const conditions[] = {
        NULL,       "preempt=lazy", "page=4K",           "clients=1024",  "scale=8470", "host=db1",
        "vcpus=96", "kernel=7.0.0", "benchmark=pgbench", "workload=tpcb", "run=1",      "source=1",
    };
    for (size_t i = 0; i <= G_N_ELEMENTS(conditions); i++) {
        bool last = i == G_N_ELEMENTS(conditions);
        const char *const where[] = {last ? NULL : conditions[i], NULL};
        const struct run_filter filter = {where, last ? 1000 : INT64_MIN};
        g_autoptr(GHashTable) statements =
            g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        sqlite3_trace_v2(a->db, SQLITE_TRACE_STMT, gather, statements);
        ask(a, &filter);
        if (i == 0)
            ask_rest(a);
        sqlite3_trace_v2(a->db, 0, NULL, NULL);
        g_assert_cmpuint(g_hash_table_size(statements), >=, i == 0 ? 15 : 3);
        GHashTableIter iter;
        gpointer sql;
        g_hash_table_iter_init(&iter, statements);
        while (g_hash_table_iter_next(&iter, &sql, NULL))
            explain(a, sql, i > 0);
    }
    archive_close(a);
    folder_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/db/plans", plans);
    return g_test_run();
}
