// Outputs that are known and not read.
#include "refused.h"

#include "lines.h"

static const struct {
    const char *begins, *holds, *also; // NULL: does not matter
    const char *why;
} known[] = {
    {"3;fio-", NULL, NULL, "is fio's terse output; run fio with --output-format=json"},
    {NULL, "groupid=", "IOPS=", "is fio's output for people; run fio with --output-format=json"},
    {"fio-", NULL, NULL, "is only the version of fio"},
    {NULL, "Iterations", "\nBenchmark ",
     "is Google Benchmark's table for people; run it with --benchmark_format=json"},
    {NULL, "***WARNING*** Library was built as", "Run on (",
     "is what Google Benchmark says on standard error; its results are on standard output"},
    {"| Command | Mean", NULL, NULL, "is hyperfine's Markdown; export with --export-json"},
    {NULL, ",HIB,", NULL,
     "is Phoronix CSV, which cuts hardware strings at their commas; ingest composite.xml"},
    {NULL, "Higher Results Are Better", NULL,
     "is Phoronix CSV, which has no system in it; ingest composite.xml"},
    {NULL, "\"systems\"", "\"arguments\"", "is Phoronix JSON; ingest composite.xml"},
    {"dropping old tables", NULL, NULL, "is what `pgbench -i` prints; it measures nothing"},
    {NULL, "generating data (", "done in ", "is what `pgbench -i` prints; it measures nothing"},
    {"starting vacuum...end.", NULL, NULL,
     "is pgbench's standard error without progress lines; its summary is on standard output"},
    {"pgbench: error:", NULL, NULL,
     "is an error of pgbench without a run; its summary is on standard output"},
    {"pgbench -", NULL, NULL,
     "is a command line; put it into a sidecar NAME.spinfault.ini beside the results"},
    {"pgbench(", NULL, NULL,
     "is a command line; put it into a sidecar NAME.spinfault.ini beside the results"},
    {"waiting for server to ", NULL, NULL, "is what pg_ctl prints; it measures nothing"},
    {NULL, "FATAL:  ", " [", "is the log of a PostgreSQL server, which holds no results"},
    {NULL, "LOG:  ", " [", "is the log of a PostgreSQL server, which holds no results"},
    {"uname -", NULL, NULL, "is a snapshot of a host; run `spinfault doctor` there"},
    {"enabled: ", "shmem_enabled: ", NULL, "is a snapshot of a host; run `spinfault doctor` there"},
    {"sysbench 1.", NULL, NULL, "is only the version of sysbench"},
};

const char *refused_why(struct slice head)
{
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if ((!known[i].begins || slice_starts(head, known[i].begins)) &&
            (!known[i].holds || line_has(head, known[i].holds)) &&
            (!known[i].also || line_has(head, known[i].also)))
            return known[i].why;
    return NULL;
}
