// The formats other than perf script, pgbench and tables, on samples made for the purpose.
#include "support.h"

static const struct {
    const char *name, *text;
    const char *holds[6];
} cases[] = {
    {"perf-stat-x",
     "# started on Mon Nov 30 13:27:17 2026\n\n0.60,msec,task-clock,599204,100.00,0.038,CPUs "
     "utilized\n"
     "48,,page-faults,599204,80.00,80.106,K/sec\n<not supported>,,cycles,0,100.00,,\n",
     {"\"benchmark\":\"perf stat\"", "\"name\":\"cpu_seconds\",\"value\":0.0006,\"unit\":\"s\"",
      "\"name\":\"page_faults\",\"value\":48", "counted 80 % of the time",
      "\"name\":\"cycles\",\"value\":null"}},
    {"perf-stat-interval",
     "     0.517382861,1.09,msec,task-clock,1090838,100.00,0.002,CPUs utilized\n"
     "     0.517382861,74,,page-faults,1090838,100.00,67.838,K/sec\n"
     "     1.024485520,26,,page-faults,61105,100.00,0.000,/sec\n",
     {"{\"type\":\"series\",\"name\":\"page_faults\",\"t\":0.517382861,\"value\":74}",
      "\"name\":\"page_faults\",\"value\":100", "\"provenance\":\"derived\""}},
    {"perf-stat-summary", // perf sums up itself
     "     0.517382861,74,,page-faults,1090838,100.00,67.838,K/sec\n"
     "     1.024485520,26,,page-faults,61105,100.00,0.000,/sec\n"
     "         summary,100,,page-faults,1151943,100.00,67.838,K/sec\n",
     {"\"t\":0.517382861,\"value\":74}",
      "\"name\":\"page_faults\",\"value\":100,\"unit\":\"1\",\"better\":\"lower\","
      "\"provenance\":\"measured\""}},
    {"perf-stat-interval-table",
     "#           time socket cpus             counts unit events\n"
     "     0.050454136 S0        2             191.95 msec task-clock      #    3.839 CPUs\n"
     "     0.050454136 S0        2              1,170      page-faults     #    0.885 K/sec\n"
     "     0.100454136 S0        1    <not supported>      cycles\n"
     "     0.100454136 S0        2                 30      page-faults     #    0.885 K/sec\n",
     {"{\"type\":\"series\",\"name\":\"page_faults/S0\",\"t\":0.050454136,\"value\":1170}",
      "\"name\":\"cpu_seconds/S0\",\"t\":0.050454136,\"value\":0.19195",
      "\"name\":\"page_faults\",\"value\":1200"}},
    {"perf-stat-interval-comma",
     "#           time             counts unit events\n"
     "     0,059931357               0,62 msec task-clock        #    0,012 CPUs utilized\n"
     "     0,059931357              1.078      page-faults       #  126,494 K/sec\n",
     {"\"name\":\"cpu_seconds\",\"t\":0.059931357,\"value\":0.00062}",
      "\"name\":\"page_faults\",\"value\":1078"}},
    {"perf-stat-parts-table",
     " Performance counter stats for 'system wide':\n\n"
     "S0-D0-C0           2             184.03 msec task-clock       #    1.024 CPUs utilized\n"
     "CPU1                   187.94 msec task-clock                 #    1.000 CPUs utilized\n"
     "N0        2                348      page-faults               #    1.023 K/sec\n"
     "         my two-417                  12      context-switches #    1.023 K/sec\n"
     "\n       0.171841438 seconds time elapsed\n",
     {"\"name\":\"cpu_seconds/S0-D0-C0\",\"value\":0.18403",
      "\"name\":\"cpu_seconds/CPU1\",\"value\":0.18794",
      "\"name\":\"page_faults/N0\",\"value\":348",
      "\"name\":\"context_switches/my two-417\",\"value\":12"}},
    {"perf-stat-append",
     "# started on Tue Dec  1 04:21:43 2026\n\n48,,page-faults,599204,80.00,80.106,K/sec\n"
     "# started on Tue Dec  1 04:21:44 2026\n\n50,,page-faults,599204,80.00,80.106,K/sec\n",
     {"\"started_on\":\"Tue Dec  1 04:21:43 2026\"", "\"started_on\":\"Tue Dec  1 04:21:44 2026\"",
      "\"name\":\"page_faults\",\"value\":48", "\"name\":\"page_faults\",\"value\":50"}},
    {"perf-stat-json",
     "{\"counter-value\" : \"47.000000\", \"unit\" : \"\", \"event\" : \"minor-faults\", "
     "\"event-runtime\" : 489679, \"pcnt-running\" : 100.00}\n"
     "{\"counter-value\" : 3, \"unit\" : \"\", \"event\" : \"major-faults\", \"event-runtime\" : "
     "1}\n",
     {"\"name\":\"minor_faults\",\"value\":47", "\"name\":\"major_faults\",\"value\":3"}},
    {"perf-stat-table",
     " Performance counter stats for './db -n 2':\n\n"
     "              0,74 msec task-clock                       #    0,408 CPUs utilized\n"
     "             1.049      page-faults                      #   66,394 K/sec\n"
     "   <not counted>      cycles\n\n       0,001810239 seconds time elapsed\n",
     {"\"workload\":\"./db -n 2\"", "\"name\":\"cpu_seconds\",\"value\":0.00074",
      "\"name\":\"page_faults\",\"value\":1049", "\"name\":\"cycles\",\"value\":null",
      "\"name\":\"elapsed\",\"value\":0.001810239"}},
    {"perf-report",
     "# Total Lost Samples: 3\n#\n# Samples: 285  of event 'cpu-clock'\n"
     "# Event count (approx.): 959595855\n#\n"
     "# Overhead  Command  Shared Object      Symbol               \n"
     "# ........  .......  .................  .....................\n#\n"
     "    20.60%  w two    libc.so.6          [.] pthread_spin_lock\n            |\n"
     "            ---pthread_spin_lock\n               worker\n",
     {"\"name\":\"event_count\",\"value\":959595855",
      "\"name\":\"self:cpu-clock/w "
      "two/libc.so.6/pthread_spin_lock\",\"value\":20.6,\"unit\":\"%\""}},
    {"folded",
     "db;main;lock 3\ndb;main;a b;lock_[k] 4\n",
     {"\"comm\":\"db\"", "[null,\"lock_[k]\",null,null,null],[null,\"a b\"", "\"weight\":4"}},
    {"pgbench-log",
     "0 1 1000 0 1796044888 840338\n1 1 3000 0 1796044888 841119\n0 2 skipped 0 1796044888 "
     "841265\n",
     {"\"name\":\"transactions\",\"value\":2", "\"name\":\"latency_avg\",\"value\":0.002",
      "\"name\":\"latency_max\",\"value\":0.003", "\"name\":\"skipped\",\"value\":1"}},
    {"pgbench-aggregate",
     "1796044892 100 200000 500000000 1000 9000\n1796044894 300 600000 1500000000 1000 12000\n"
     "1796044896 10 20000 50000000 1000 5000\n",
     {"\"name\":\"transactions\",\"value\":410", "\"name\":\"latency_avg\",\"value\":0.002",
      "\"name\":\"thread_tps\",\"value\":100", "\"name\":\"latency_max\",\"value\":0.012"}},
    {"sysbench",
     "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\nRunning the test with following "
     "options:\n"
     "Number of threads: 2\n\n[ 1s ] thds: 2 tps: 100.50 qps: 200.00 (r/w/o: 1/2/3) lat (ms,95%): "
     "1.50 err/s: 0.00 reconn/s: 0.00\nSQL statistics:\n    queries performed:\n        total:     "
     "5\n"
     "    transactions:                        20526  (6753.08 per sec.)\n\n"
     "General statistics:\n    total time:                          3.0391s\n"
     "    total number of events:              20526\n\nLatency (ms):\n"
     "         avg:                                    0.29\n"
     "         95th percentile:                        1.47\n\nThreads fairness:\n",
     {"\"name\":\"tps\",\"value\":6753.08", "\"threads\":2",
      "\"name\":\"latency_p95\",\"value\":0.00147",
      "{\"type\":\"series\",\"name\":\"tps\",\"t\":1,\"value\":100.5}",
      "\"elapsed\",\"value\":3.0391"}},
    {"sysbench-0.5",
     "$ sysbench --test=oltp run\nsysbench 0.5:  multi-threaded system evaluation benchmark\n\n"
     "Running the test with following options:\nNumber of threads: 8\n\n"
     "[   1s] threads: 8, tps: 123.50, reads: 1728.33, writes: 493.81, response time: 75.25ms "
     "(95%), "
     "errors: 0.00, reconnects: 0.00\n"
     "OLTP test statistics:\n    transactions:                        300    (99.50 per sec.)\n"
     "    read/write requests:                 5400   (1791.00 per sec.)\n\nGeneral statistics:\n"
     "    total time:                          3.0150s\n    response time:\n"
     "         min:                                  2.05ms\n"
     "         avg:                                  8.25ms\n"
     "         approx.  95 percentile:              12.50ms\n\nThreads fairness:\n",
     {"\"sysbench_version\":\"0.5\"", "\"name\":\"tps\",\"value\":99.5",
      "\"name\":\"latency_avg\",\"value\":0.00825", "\"name\":\"latency_p95\",\"value\":0.0125",
      "{\"type\":\"series\",\"name\":\"tps\",\"t\":1,\"value\":123.5}",
      "{\"type\":\"series\",\"name\":\"latency_percentile\",\"t\":1,\"value\":0.07525}"}},
    {"sysbench-cut",
     "sysbench 1.0.20 (using system LuaJIT)\n\nRunning the test with following options:\n"
     "Number of threads: 2\n    transactions:                        20526  (6753.08 per sec.)\n",
     {"\"status\":\"aborted\",\"why\":\"the report ends before its last part"}},
    {"hammerdb",
     "Vuser 1:16 Active Virtual Users configured\n"
     "Vuser 1:TEST RESULT : System achieved 12345 NOPM from 28456 SQL Server TPM\n"
     "Vuser 1:TEST RESULT : System achieved 30000 SQL Server TPM at 13000 NOPM\n",
     {"\"clients\":16", "\"database\":\"SQL Server\"", "\"name\":\"nopm\",\"value\":12345",
      "\"name\":\"nopm\",\"value\":13000", "\"name\":\"tpm\",\"value\":30000"}},
    {"fio",
     "note: something first\n{\"fio version\" : \"fio-3.33\", \"jobs\" : [{\"jobname\" : \"r\", "
     "\"error\" : 0, "
     "\"job options\" : {\"bs\" : \"8k\", \"numjobs\" : \"2\"}, \"read\" : {\"total_ios\" : 10, "
     "\"iops\" : 50.5, "
     "\"bw_bytes\" : 4096, \"lat_ns\" : {\"mean\" : 1500.0}, \"clat_ns\" : {\"percentile\" : "
     "{\"99.000000\" : 9000}}}, \"write\" : {\"total_ios\" : 0}, \"minf\" : 7}]}\n",
     {"\"workload\":\"r\"", "\"clients\":2", "\"name\":\"read/iops\",\"value\":50.5",
      "\"name\":\"read/latency_avg\",\"value\":1.5e-06", "\"name\":\"minor_faults\",\"value\":7"}},
    {"google-benchmark",
     "{\"context\": {\"host_name\": \"box\", \"num_cpus\": 8, \"library_build_type\": "
     "\"release\"},\n"
     "\"benchmarks\": [{\"name\": \"A/8\", \"run_type\": \"iteration\", \"iterations\": 5, "
     "\"real_time\": 1.5, "
     "\"cpu_time\": 1.25, \"time_unit\": \"us\", \"pages\": 3},\n"
     "{\"name\": \"A/8_mean\", \"run_type\": \"aggregate\", \"real_time\": 9},\n"
     "{\"name\": \"B\", \"run_type\": \"iteration\", \"error_occurred\": true, \"error_message\": "
     "\"no pages\"}]}\n",
     {"\"host\":\"box\"", "\"name\":\"real_time\",\"value\":1.5e-06",
      "\"name\":\"pages\",\"value\":3", "\"status\":\"aborted\",\"why\":\"no pages\""}},
    {"fio-servers",
     "{\"fio version\" : \"fio-3.33\", \"client_stats\" : [\n"
     "{\"jobname\" : \"r\", \"hostname\" : \"db1\", \"read\" : {\"total_ios\" : 10, \"iops\" : 50, "
     "\"lat_ns\" : {\"mean\" : 1500, \"percentile\" : {\"99.000000\" : 9000}}}},\n"
     "{\"jobname\" : \"All clients\", \"read\" : {\"total_ios\" : 20, \"iops\" : 100}}]}\n",
     {"\"host\":\"db1\"", "\"name\":\"read/iops\",\"value\":50,",
      "\"name\":\"read/latency_p99\",\"value\":9e-06"}},
    {"google-benchmark-means",
     "{\"context\": {\"num_cpus\": 8, \"library_build_type\": \"release\"}, \"benchmarks\": [\n"
     "{\"name\": \"A_mean\", \"run_name\": \"A\", \"run_type\": \"aggregate\", \"repetitions\": 5, "
     "\"aggregate_name\": \"mean\", \"iterations\": 5, \"real_time\": 1.5, \"cpu_time\": 1.25, "
     "\"time_unit\": \"us\"},\n"
     "{\"name\": \"A_stddev\", \"run_name\": \"A\", \"run_type\": \"aggregate\", \"repetitions\": "
     "5, "
     "\"aggregate_name\": \"stddev\", \"real_time\": 0.25, \"time_unit\": \"us\"},\n"
     "{\"name\": \"A_BigO\", \"run_name\": \"A\", \"run_type\": \"aggregate\", \"aggregate_name\": "
     "\"BigO\", \"real_coefficient\": 7, \"big_o\": \"N\"}]}\n",
     {"\"workload\":\"A\"", "\"name\":\"real_time\",\"value\":1.5e-06",
      "\"n\":5,\"stddev\":2.5e-07"}},
    {"google-benchmark-skipped",
     "{\"context\": {\"library_build_type\": \"release\"}, \"benchmarks\": [\n"
     "{\"name\": \"A\", \"run_type\": \"iteration\", \"skipped\": true, \"real_time\": 0},\n"
     "{\"name\": \"B_cv\", \"real_time\": 5}, {\"name\": \"B_BigO\", \"big_o\": \"N\", \"rms\": "
     "1}]}\n",
     {"\"workload\":\"A\"", "\"status\":\"aborted\"", "\"name\":\"real_time\",\"value\":null"}},
    {"google-benchmark-csv-means",
     "name,iterations,real_time,cpu_time,time_unit,bytes_per_second\n\"A_mean\",5,2,1,ms,\n"
     "\"A_median\",5,2,1,ms,\n\"A_stddev\",5,0.5,0.25,ms,\n\"A_cv\",5,155609,1,ms,\n"
     "\"A_BigO\",,7,7,N,\n\"A_RMS\",,7,7,%,\n",
     {"\"workload\":\"A\"", "\"name\":\"real_time\",\"value\":0.002", "\"n\":5,\"stddev\":0.0005"}},
    {"google-benchmark-csv",
     "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,"
     "error_occurred,error_message,\"pages\"\n\"A\",5,0.5,0.25,us,100,,,,,1\n\"A_mean\",3,9,9,us,1,"
     ",,,,1\n"
     "\"A_cv\",3,155609,7119.7,us,0.02,,,,,0\n\"B\",,,,,,,,true,\"no huge pages\"\n",
     {"\"name\":\"real_time\",\"value\":5e-07",
      "\"name\":\"bytes_per_second\",\"value\":100,\"unit\":\"B/s\"", "\"why\":\"no huge pages\""}},
    {"hyperfine",
     "{\"results\": [{\"command\": \"ls\", \"mean\": 0.5, \"times\": [0.25, 0.75], \"exit_codes\": "
     "[0, 1], "
     "\"parameters\": {\"n\": \"3\"}}]}",
     {"\"workload\":\"ls\"", "\"set\":{\"n\":3}", "\"name\":\"elapsed\",\"value\":0.25",
      "\"status\":\"aborted\",\"why\":\"the command ended with exit status 1\""}},
    {"hyperfine-csv",
     "command,mean,stddev,median,user,system,min,max,parameter_n\nls,0.5,0.125,0.4,0.1,0.2,0.3,0.9,"
     "7\n",
     {"\"n\":null,\"stddev\":0.125", "\"set\":{\"n\":7}",
      "\"name\":\"elapsed_max\",\"value\":0.9"}},
    {"cyclictest",
     "T: 0 (29070) P: 0 I:1000 C:   1000 Min:     47 Act:  123 Avg:  200 Max:   26207\n"
     "T: 1 (29071) P: 0 I:1500 C:   1000 Min:     64 Act:   73 Avg:  300 Max:   22418\n",
     {"\"threads\":2", "\"name\":\"latency_max\",\"value\":0.026207",
      "\"name\":\"latency_avg\",\"value\":0.00025", "\"name\":\"latency_min\",\"value\":4.7e-05"}},
    {"cyclictest-again",
     "T: 0 (29070) P: 0 I:1000 C:    100 Min:     47 Act:  123 Avg:  900 Max:     950\n"
     "\x1b[1AT: 0 (29070) P: 0 I:1000 C:   1000 Min:     40 Act:  123 Avg:  200 Max:   1000\n",
     {"\"threads\":1", "\"name\":\"latency_avg\",\"value\":0.0002",
      "\"name\":\"latency_min\",\"value\":4e-05", "\"name\":\"cycles\",\"value\":1000"}},
    {"cyclictest-histogram",
     "# Histogram\n000003 000098\n000004 000001\n000900 000001\n# Total: 000000100\n"
     "# Min Latencies: 00003\n# Avg Latencies: 00012\n# Max Latencies: 00900\n"
     "# Histogram Overflows: 00000\n",
     {"\"name\":\"latency_p50\",\"value\":3e-06", "\"name\":\"latency_p99\",\"value\":4e-06",
      "\"name\":\"latency_p999\",\"value\":0.0009", "\"name\":\"latency_avg\",\"value\":1.2e-05"}},
    {"cyclictest-json",
     "{\"cmdline:\": \"cyclictest -q\", \"rt_test_version:\": \"2.40\", \"return_code\": 0, "
     "\"sysinfo\": "
     "{\"release\": \"6.18\"}, \"thread\": {\"0\": {\"histogram\": {}, \"cycles\": 500, \"min\": "
     "30, \"max\": 3726, "
     "\"avg\": 121.5}}}",
     {"\"kernel\":\"6.18\"", "\"name\":\"latency_avg\",\"value\":0.0001215"}},
    {"phoronix",
     "<?xml version=\"1.0\"?>\n<PhoronixTestSuite><System><Identifier>A</Identifier>"
     "<Software>OS: X, Kernel: 7.0.0 (aarch64), Compiler: GCC</Software></System><Result>"
     "<Title>PostgreSQL</Title><Description>Mode: RW</Description><Scale>TPS</Scale>"
     "<Proportion>HIB</Proportion><Data><Entry><Identifier>A</Identifier><Value>20.5</Value>"
     "<RawString>20:21</RawString></Entry><Entry><Identifier>B</Identifier><Value></Value></Entry>"
     "</Data></Result></PhoronixTestSuite>\n",
     {"\"kernel\":\"7.0.0 (aarch64)\"", "\"name\":\"tps\",\"value\":20,\"unit\":\"1/s\"",
      "\"name\":\"tps\",\"value\":21", "\"why\":\"the run failed\""}},
    {"repro-collection",
     "{\"score\": 5.5, \"score_units\": \"tps\", \"tps_including_conn\": 0, "
     "\"tps_excluding_conn\": 5.5, "
     "\"latency_avg_ms\": 10.5, \"latency_stddev_ms\": 0, \"clients\": 64, \"builtin\": "
     "\"simple-update\"}",
     {"\"name\":\"tps\",\"value\":5.5", "\"clients\":64",
      "\"name\":\"latency_avg\",\"value\":0.0105"}},
    {"psql-aligned",
     "         Mon Nov 30 13:27:07 2026 (every 1s)\n\n"
     "  backend_type  | wait_event_type |  wait_event   | count \n"
     "----------------+-----------------+---------------+-------\n"
     " client backend | LWLock          | A|B           |     5\n"
     " checkpointer   |                 |               |     1\n(2 Zeilen)\n\n",
     {"{\"type\":\"wait\",\"backend_type\":\"client "
      "backend\",\"event_type\":\"LWLock\",\"event\":\"A|B\","
      "\"state\":null,\"count\":5,\"t\":1796045227}",
      "\"backend_type\":\"checkpointer\",\"event_type\":null"}},
    {"psql-expanded",
     "-[ RECORD 1 ]---+-------\nwait_event_type | LWLock\nwait_event      | WALWrite\ncount        "
     "   | 18\n"
     "-[ RECORD 2 ]---+-------\nwait_event_type | Client\nwait_event      | ClientRead\ncount      "
     "     | 2\n",
     {"\"event_type\":\"LWLock\",\"event\":\"WALWrite\",\"state\":null,\"count\":18",
      "\"count\":2"}},
    {"psql-bare",
     "2,IO,DataFileRead,active,43\n2,LWLock,BufferMapping,active,19\n3,CPU,-,idle,1\n",
     {"\"event_type\":\"IO\",\"event\":\"DataFileRead\",\"state\":\"active\",\"count\":43",
      "\"event_type\":\"CPU\",\"event\":null,\"state\":\"idle\""}},
    {"psql-settings",
     "name,setting,unit\nhuge_pages,on,\nshared_buffers,16384,8kB\n",
     {"\"key\":\"huge_pages\",\"value\":\"on\"", "\"value\":\"16384\",\"unit\":\"8kB\""}},
    {"psql-show",
     " huge_pages \n------------\n off\n(1 row)\n\n",
     {"\"scope\":\"server\",\"source\":\"query\",\"key\":\"huge_pages\",\"value\":\"off\""}},
    {"vmstat",
     "nr_free_pages 5\npgfault 558514\npgmajfault 3\n",
     {"\"source\":\"/proc/vmstat\",\"key\":\"pgfault\",\"value\":\"558514\""}},
    {"meminfo",
     "MemTotal:       24683656 kB\nHugePages_Total:     276\n",
     {"\"key\":\"MemTotal\",\"value\":\"24683656\",\"unit\":\"kB\"",
      "\"key\":\"HugePages_Total\",\"value\":\"276\"}"}},
    {"smaps",
     "7fb3e887f000-7fb40ae95000 rw-s 00000000 00:01 82      /dev/zero (deleted)\nSize:    563288 "
     "kB\n"
     "Rss:               30816 kB\nVmFlags: rd wr sh\n",
     {"\"key\":\"7fb3e887f000-7fb40ae95000 rw-s /dev/zero (deleted)/Rss\",\"value\":\"30816\"",
      "VmFlags\",\"value\":\"rd wr sh\""}},
    {"postgresql.conf",
     "# PostgreSQL configuration file\nshared_buffers = 128MB   # min 128kB\nmax_connections = "
     "100\n"
     "search_path = 'a''b'\nshared_buffers 8GB\n",
     {"\"key\":\"shared_buffers\",\"value\":\"8GB\"", "\"key\":\"search_path\",\"value\":\"a'b\""}},
};

static void test_case(gconstpointer data)
{
    size_t i = GPOINTER_TO_SIZE(data);
    g_autofree char *facts = facts_of_text(cases[i].text);
    for (size_t k = 0; k < G_N_ELEMENTS(cases[i].holds) && cases[i].holds[k]; k++)
        assert_holds(facts, cases[i].holds[k]);
    g_assert_cmpuint(count_lines(facts, "{\"type\":\"skipped\""), ==, 0);
}

// Cut anywhere, a file gives facts or an error, and never a crash.
static void test_cuts(gconstpointer data)
{
    size_t i = GPOINTER_TO_SIZE(data), len = strlen(cases[i].text);
    for (size_t n = 1; n < len; n++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *path = write_file("cut.txt", cases[i].text, n);
        g_autofree char *facts = facts_of(path, 0, NULL, &error);
        g_assert_true((facts != NULL) != (error != NULL));
    }
}

// What ends in the middle of a number gives no such number.
static void test_no_part_of_a_number(void)
{
    static const struct {
        const char *whole, *figure;
    } reports[] = {
        {"sysbench 1.0.20 (x)\nNumber of threads: 2\nRunning the test\n"
         "    transactions:                        20526  (6753.08 per sec.)\n",
         "6753.08"},
        {"Vuser 1:TEST RESULT : System achieved 12345 NOPM from 28456 PostgreSQL TPM\n", "28456"},
        {"T: 0 (29070) P: 0 I:1000 C:   1000 Min:     47 Act:  123 Avg:  200 Max:   26207\n",
         "0.026207"},
        {"MemTotal:       24683656 kB\nHugePages_Total:     2768\n", "2768"},
        {"nr_free_pages 5\npgfault 558514\npgmajfault 3789\n", "3789"},
        {"command,mean,stddev,median,user,system,min,max\nls,1,2,3,4,5,6,7.125\n", "7.125"},
        {"name,iterations,real_time,cpu_time,time_unit\n\"A\",5,0.5,0.25,us\n", "2.5e-07"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(reports); i++) {
        g_autofree char *all = facts_of_text(reports[i].whole);
        assert_holds(all, reports[i].figure);
        for (size_t len = 20; len < strlen(reports[i].whole); len++) {
            g_autoptr(GError) error = NULL;
            g_autofree char *path = write_file("cut.txt", reports[i].whole, len);
            g_autofree char *facts = facts_of(path, 0, NULL, &error);
            g_auto(GStrv) lines = g_strsplit(facts ? facts : "", "\n", -1);
            for (char **line = lines; *line; line++)
                if (strstr(*line, "\"metric\"") || strstr(*line, "\"environment\""))
                    g_assert_true(strstr(all, *line) || strstr(*line, "\"value\":null"));
        }
    }
}

static void test_refused(void)
{
    static const struct {
        const char *text, *says;
    } refused[] = {
        {"3;fio-3.33;randrw;0;0;65288\n", "--output-format=json"},
        {"| Command | Mean [ms] |\n|:---|---:|\n| `true` | 4.6 |\n", "--export-json"},
        {"\"A - B (TPS)\",HIB,5,6\n", "composite.xml"},
        {"pgbench -c 4 bench\n", "sidecar"},
        {"0,69,msec,task-clock,690000,100,00,0,408,CPUs "
         "utilized\n48,,page-faults,1,100,00,1,2,K/sec\n",
         "LC_ALL=C"},
        {"{\"counter-value\" : \"1.0\", \"event\" : \"cs\", \"pcnt-running\" : 100,00}\n",
         "LC_ALL=C"},
        {"{\"fio version\" : \"fio-3.33\", \"jobs\" : [", "no valid JSON"},
        {"<?xml version=\"1.0\"?>\n<PhoronixTestSuite><Result>", "no valid XML"},
        {"PERFILE2 and no more", "perf"},
        {"{\"fio version\" : \"fio-3.33\", \"jobs\" : []}\n{\"fio version\" : \"fio-3.33\"}\n",
         "a second JSON document"},
        {" page | tps \n------+-----\n 4K   |   5\n(2 rows)\n\n", "2 rows are announced and 1 are"},
        {" 4K   |   5\n 2M   |   6\n", "without a header"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_autofree char *message = error_of_text(refused[i].text, NULL);
        if (!strstr(message, refused[i].says))
            g_test_message("%s", message);
        g_assert_nonnull(strstr(message, refused[i].says));
    }
}

// XML may name files and refer to itself; nothing of that is read.
static void test_xml_entities(void)
{
    g_autofree char *facts = facts_of_text(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE x [<!ENTITY f SYSTEM \"file:///etc/passwd\">]>\n"
        "<PhoronixTestSuite><Result><Title>T&f;</Title><Scale>TPS</Scale><Data><Entry>"
        "<Identifier>A</Identifier><Value>5</Value></Entry></Data></Result></PhoronixTestSuite>\n");
    g_assert_null(strstr(facts, "root:"));
}

static void test_listed(void)
{
    size_t n;
    const struct ingest_format_info *formats = ingest_formats(&n);
    g_assert_cmpuint(n, >, 20);
    for (size_t i = 0; i < n; i++) {
        g_assert_nonnull(formats[i].summary);
        for (size_t k = 0; k < i; k++)
            g_assert_cmpstr(formats[i].name, !=, formats[k].name);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = g_strdup_printf("/ingest/formats/%s", cases[i].name);
        g_autofree char *cut = g_strdup_printf("/ingest/cuts/%s", cases[i].name);
        g_test_add_data_func(name, GSIZE_TO_POINTER(i), test_case);
        g_test_add_data_func(cut, GSIZE_TO_POINTER(i), test_cuts);
    }
    g_test_add_func("/ingest/formats/no-part-of-a-number", test_no_part_of_a_number);
    g_test_add_func("/ingest/formats/refused", test_refused);
    g_test_add_func("/ingest/formats/xml-entities", test_xml_entities);
    g_test_add_func("/ingest/formats/listed", test_listed);
    return g_test_run();
}
