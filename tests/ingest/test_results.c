// Results of benchmarks: pgbench's text and tables.
#include "support.h"

static const char summary15[] = "pgbench (15.18 (Debian 15.18-0+deb12u1))\n"
                                "transaction type: <builtin: simple update>\n"
                                "scaling factor: 50\n"
                                "query mode: prepared\n"
                                "number of clients: 64\n"
                                "number of threads: 8\n"
                                "maximum number of tries: 1\n"
                                "duration: 10 s\n"
                                "number of transactions actually processed: 100000\n"
                                "number of failed transactions: 0 (0.000%)\n"
                                "latency average = 5.408 ms\n"
                                "latency stddev = 1.500 ms\n"
                                "initial connection time = 30.000 ms\n"
                                "tps = 10030.090271 (without initial connection time)\n";

static void test_pgbench_summary(void)
{
    g_autofree char *facts = facts_of_text(summary15);
    assert_holds(facts, "\"benchmark\":\"pgbench\",\"workload\":\"simple update\"");
    assert_holds(facts, "\"clients\":64");
    assert_holds(facts, "\"status\":\"complete\"");
    assert_holds(facts, "\"name\":\"tps\",\"value\":10030.090271,\"unit\":\"1/s\"");
    assert_holds(facts, "\"name\":\"latency_avg\",\"value\":0.005408,\"unit\":\"s\"");
    assert_holds(facts, "\"source_unit\":\"ms\"");
    g_assert_cmpuint(count_lines(facts, "skipped\",\"line"), ==, 0);
}

static void test_pgbench_13(void)
{
    g_autofree char *facts = facts_of_text(
        "transaction type: <builtin: select only>\nscaling factor: 1\nquery mode: simple\n"
        "number of clients: 2\nnumber of threads: 1\nduration: 2 s\n"
        "number of transactions actually processed: 4000\n"
        "latency average = 1.000 ms\n"
        "tps = 2000.500000 (including connections establishing)\n"
        "tps = 2100.250000 (excluding connections establishing)\n");
    assert_holds(facts, "\"name\":\"tps\",\"value\":2100.25,");
    assert_holds(facts, "\"name\":\"tps_including_connections\",\"value\":2000.5,");
    assert_holds(facts, "\"status\":\"complete\"");
}

static void test_pgbench_prefix_and_progress(void)
{
    GString *text = g_string_new(NULL);
    g_string_append(text, "> progress: 5.0 s, 9000.5 tps, lat 5.500 ms stddev 1.250, 0 failed\n"
                          "> progress: 10.0 s, 0.0 tps, lat 0.000 ms stddev 0.000, 3 failed\n");
    g_auto(GStrv) lines = g_strsplit(summary15, "\n", -1);
    for (char **line = lines; *line && **line; line++)
        g_string_append_printf(text, "> %s\n", *line);
    g_autofree char *facts = facts_of_text(text->str);
    assert_holds(facts, "\"name\":\"tps\",\"value\":10030.090271");
    assert_holds(facts, "{\"type\":\"series\",\"name\":\"latency_avg\",\"t\":5,\"value\":0.0055}");
    // No transaction, no latency: not 0.
    g_assert_cmpuint(count_lines(facts, "\"name\":\"latency_avg\",\"t\":10"), ==, 0);
    assert_holds(facts, "\"name\":\"failed\",\"t\":10,\"value\":3");
    g_string_free(text, TRUE);
}

static void test_pgbench_several(void)
{
    g_autofree char *twice =
        g_strconcat("=== one ===\n", summary15, "=== two ===\n", summary15, NULL);
    g_autofree char *facts = facts_of_text(twice);
    g_assert_cmpuint(count_lines(facts, "\"type\":\"run\""), ==, 2);
    g_assert_cmpuint(count_lines(facts, "\"name\":\"tps\""), ==, 2);
}

static void test_pgbench_aborted(void)
{
    // All clients gave up after 312 transactions; the tps alone looks well.
    g_autofree char *early = facts_of_text(
        "transaction type: /x.sql\nscaling factor: 1\nquery mode: simple\nnumber of clients: 4\n"
        "number of threads: 2\nduration: 3 s\nnumber of transactions actually processed: 312\n"
        "latency average = 0.600 ms\ninitial connection time = 9.0 ms\n"
        "tps = 6253.131576 (without initial connection time)\n");
    assert_holds(early, "\"status\":\"aborted\",\"why\":\"it ran ");
    g_autofree char *said = g_strconcat(summary15,
                                        "pgbench: error: client 2 script 0 aborted in command 1 "
                                        "query 0: ERROR:  division by zero\n"
                                        "pgbench: error: Run was aborted; the above results are "
                                        "incomplete.\n",
                                        NULL);
    g_autofree char *facts = facts_of_text(said);
    assert_holds(facts, "\"status\":\"aborted\",\"why\":\"run was aborted: client 2 script 0");
    g_autofree char *none = facts_of_text("transaction type: /x.sql\nnumber of clients: 4\n"
                                          "number of transactions actually processed: 0\n"
                                          "number of failed transactions: 0 (NaN%)\n");
    assert_holds(none, "\"name\":\"tps\",\"value\":null");
    assert_holds(none, "\"why\":\"no transaction was processed\"");
}

// A summary that is cut off at any byte never gives a figure that was not printed.
static void test_pgbench_every_cut(void)
{
    for (size_t len = 60; len < sizeof summary15; len++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *path = write_file("cut.txt", summary15, len);
        g_autofree char *facts = facts_of(path, 0, "pgbench", &error);
        if (!facts) {
            g_assert_error(error, SPINFAULT_ERROR, SPINFAULT_ERROR_DAMAGED);
            continue;
        }
        bool has_tps = strstr(facts, "\"name\":\"tps\",\"value\":1");
        bool complete = strstr(facts, "\"name\":\"tps\",\"value\":10030.090271") != NULL;
        g_assert_true(!has_tps || complete);
    }
}

// For a script of one's own 1 is printed, whatever the scale is, and for NaN no number is made up.
static void test_pgbench_said_without_knowing(void)
{
    static const char rest[] = "scaling factor: 1\nnumber of clients: 4\nduration: 2 s\n"
                               "number of transactions actually processed: 4000\n"
                               "latency average = NaN ms\n"
                               "tps = 2000.500000 (without initial connection time)\n";
    static const struct {
        const char *type, *scripts, *holds;
    } cases[] = {
        {"<builtin: select only>", "", "\"scale\":1,"},
        {"TPC-B (sort of)", "", "\"scale\":1,"},
        {"bench.sql", "", "\"scale_reported\":1"},
        {"/bench/own.sql", "", "\"scale_reported\":1"},
        {"multiple scripts", "SQL script 1: a.sql\nSQL script 2: b.sql\n", "\"scale_reported\":1"},
        {"multiple scripts", "SQL script 1: a.sql\nSQL script 2: <builtin: select only>\n",
         "\"scale\":1,"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf("transaction type: %s\n%s%s", cases[i].type, rest, cases[i].scripts);
        g_autofree char *facts = facts_of_text(text);
        assert_holds(facts, cases[i].holds);
        assert_holds(facts, "\"name\":\"latency_avg\",\"value\":null");
        assert_holds(facts, "\"why\":\"pgbench printed NaN\"");
    }
}

// The first line of a terminal's text may stand behind something without an end of its line.
static void test_pgbench_first_line_joined(void)
{
    g_autofree char *text =
        g_strconcat("starting vacuum...end.", strchr(summary15, '\n') + 1, NULL);
    g_autofree char *facts = facts_of_text(text);
    assert_holds(facts, "\"clients\":64");
    assert_holds(facts, "\"name\":\"tps\",\"value\":10030.090271");
}

static void test_csv_wide(void)
{
    g_autofree char *facts = facts_of_text("instance,kernel,preempt,page,clients,tps,Latency [ms]\n"
                                           "m8g,6.18,none,4kB,\"1,024\",98565.86,10.5\n"
                                           "m8g,7.0,PREEMPT_LAZY,THP,\"1,024\",n/a,20.25\n");
    g_assert_cmpuint(count_lines(facts, "\"type\":\"run\""), ==, 2);
    assert_holds(facts, "\"preempt\":\"none\",\"page\":\"4K\",\"clients\":1024");
    assert_holds(facts, "\"preempt\":\"lazy\",\"page\":\"THP\"");
    assert_holds(facts, "\"name\":\"tps\",\"value\":98565.86,\"unit\":\"1/s\"");
    assert_holds(facts, "\"name\":\"tps\",\"value\":null");
    assert_holds(facts, "\"name\":\"latency_avg\",\"value\":0.02025,\"unit\":\"s\"");
}

static void test_csv_long(void)
{
    g_autofree char *facts = facts_of_text(
        "source,preempt,page,metric,value,unit,provenance,runs,note\n"
        "a,lazy,4K,tps,50751.96,1/s,published,3,mean\n"
        "a,lazy,4K,wait:Timeout/SpinDelay,838,1,published,,\"client backend, active\"\n"
        "a,none,4K,tps,98565.86,1/s,published,3,\n"
        "a,none,4K,tps,98000.5,1/s,claimed,1,\n");
    g_assert_cmpuint(count_lines(facts, "\"type\":\"run\""), ==, 3);
    assert_holds(facts, "\"value\":50751.96,\"unit\":\"1/s\",\"better\":\"higher\","
                        "\"provenance\":\"published\",\"n\":3");
    assert_holds(facts, "{\"type\":\"wait\",\"backend_type\":\"client backend\",\"event_type\":"
                        "\"Timeout\",\"event\":\"SpinDelay\",\"state\":\"active\",\"count\":838}");
    assert_holds(facts, "\"provenance\":\"claimed\"");
}

static void test_csv_decimals(void)
{
    static const struct {
        const char *text, *holds;
    } cases[] = {
        {"instance;tps\na;23.438,98\nb;1.000,5\n", "\"value\":23438.98"},
        {"instance;tps\na;1.234,5\nb;1.234\n", "\"value\":1234,"},
        {"instance,tps\na,\"23,438.98\"\n", "\"value\":23438.98"},
        {"instance\ttps\na\t23'438.98\nb\t1\n", "\"value\":23438.98"},
        {"instance;tps\na;23\xC2\xA0"
         "438,98\nb;1,5\n",
         "\"value\":23438.98"},
        {"instance;tps;lat [ms]\na;1.234;0,5\nb;2.345;0,7\n", "\"name\":\"tps\",\"value\":1234,"},
        {"instance,tps\na,1.234\nb,2.345\n", "\"value\":1.234,"},
        {"instance,tps,hold [ms]\na,5e3,1e-1\n", "\"value\":5000,"},
        {"instance;tps\na;1.234.567\n", "\"value\":1234567,"},
        {"\xEF\xBB\xBFsep=;\r\ninstance;tps\r\na;5\r\n", "\"value\":5,"},
        {"> | instance | tps |\n> |---|---|\n> | a | 7.5 |\n", "\"value\":7.5,"},
        {"# a comment\ninstance,tps,Ratio\na,5,1.75x\n", "\"value\":1.75,\"unit\":\"1\""},
        // A word among numbers takes nothing from the numbers.
        {"instance,tps\na,50751.96\nb,crashed\n", "\"value\":50751.96,"},
        {"instance;tps\na;50.751,96\nb;crashed\n", "\"value\":50751.96,"},
        {"instance,tps\na,50751.96\nb,crashed\n", "\"why\":\"crashed\""},
        {"instance;tps\na;5,5\nb;28.04.2026\n", "\"why\":\"28.04.2026\""},
        {"instance;tps\na;5,5\nb;12 5\n", "\"why\":\"12 5\""},
        // A number's own unit goes before that of its column.
        {"instance,latency [s]\na,5 ms\nb,0.5\n", "\"value\":0.005,\"unit\":\"s\""},
        {"instance,latency\na,5 ms\nb,2 s\n", "\"value\":2,\"unit\":\"s\""},
        {"metric,value\nlatency_avg,4.5 ms\ntps,unknown\n", "\"value\":0.0045,"},
        // What is empty at the edges of a line is a field; bars there are none.
        {"instance|tps|state\na|5|\n|6|x\n", "\"value\":6,"},
        {"instance;tps;note\na;5;\"quoted\" and more\n", "\"note\":\"\\\"quoted\\\" and more\""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *facts = facts_of_text(cases[i].text);
        assert_holds(facts, cases[i].holds);
    }
}

static void test_csv_refused(void)
{
    g_autofree char *sign = error_of_text("clients;tps\n1;1.234\n2;2.345\n", NULL);
    g_assert_nonnull(strstr(sign, "--set decimal="));
    g_autofree char *both = error_of_text("page;tps\n4K;1,5\n2M;1.5\n", NULL);
    g_assert_nonnull(strstr(both, ":3: \"1.5\" in column \"tps\" has another decimal sign"));
    g_autofree char *words = error_of_text("clients;tps\n1;1.234\n2;crashed\n", NULL);
    g_assert_nonnull(strstr(words, "--set decimal="));
    g_autofree char *quote = error_of_text("clients,tps\n1,\"5\n2,6\n", "csv");
    g_assert_nonnull(strstr(quote, "never ends"));
    g_autofree char *prose = error_of_text("// notes, of a kind\n  first,\n  second,\n", NULL);
    g_assert_nonnull(strstr(prose, "no column of numbers"));
    g_autofree char *none = error_of_text("host,kernel\na,b\nc,d\n", "csv");
    g_assert_nonnull(strstr(none, "no column of numbers"));
}

static void test_csv_decided_by_user(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = write_text("input.csv", "clients;tps\n1;1.234\n2;2.345\n");
    g_autofree char *sidecar = write_text("input.csv.spinfault.ini", "[set]\ndecimal=,\n");
    g_autofree char *facts = facts_of(path, 0, NULL, &error);
    g_assert_no_error(error);
    assert_holds(facts, "\"value\":1234,");
    g_assert_null(strstr(facts, "decimal"));
}

static void test_csv_short_rows(void)
{
    g_autofree char *facts = facts_of_text("clients,tps,page\n1,5,4K\n2,6\n3,7,2M\n4,8,4K\n5,1,4K\n"
                                           "6,1,4K\n7,1,4K\n8,1,4K\n9,1,4K\n10,1,4K\n11,1,4K\n");
    g_assert_cmpuint(count_lines(facts, "\"type\":\"run\""), ==, 10);
    assert_holds(facts,
                 "{\"type\":\"skipped\",\"line\":3,\"why\":\"2 fields where the header has 3\"");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ingest/pgbench/summary", test_pgbench_summary);
    g_test_add_func("/ingest/pgbench/version-13", test_pgbench_13);
    g_test_add_func("/ingest/pgbench/prefix-and-progress", test_pgbench_prefix_and_progress);
    g_test_add_func("/ingest/pgbench/several", test_pgbench_several);
    g_test_add_func("/ingest/pgbench/aborted", test_pgbench_aborted);
    g_test_add_func("/ingest/pgbench/every-cut", test_pgbench_every_cut);
    g_test_add_func("/ingest/pgbench/said-without-knowing", test_pgbench_said_without_knowing);
    g_test_add_func("/ingest/pgbench/first-line-joined", test_pgbench_first_line_joined);
    g_test_add_func("/ingest/csv/wide", test_csv_wide);
    g_test_add_func("/ingest/csv/long", test_csv_long);
    g_test_add_func("/ingest/csv/decimals", test_csv_decimals);
    g_test_add_func("/ingest/csv/refused", test_csv_refused);
    g_test_add_func("/ingest/csv/decided-by-user", test_csv_decided_by_user);
    g_test_add_func("/ingest/csv/short-rows", test_csv_short_rows);
    return g_test_run();
}
