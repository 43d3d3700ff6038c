// How the archive does with many runs: bench_archive [RUNS] [FOLDER].
//
// Fills a new archive with RUNS runs (200,000) of ten metrics each through the sink, a thousand to
// a source, then times the queries of `list`, `show` and the report, and what it costs to take all
// of it into another archive. Prints seconds, sizes and milliseconds; the archives are removed.
#include "spinfault/db.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define METRICS         10
#define RUNS_PER_SOURCE 1000

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void must(bool ok, GError *error)
{
    if (ok)
        return;
    fprintf(stderr, "bench_archive: %s\n", error ? error->message : "failed");
    exit(2);
}

// Fifty runs of each commit.
static char *commit_of(unsigned run)
{
    return g_strdup_printf("%08x", run / 50 * 2654435761u);
}

static bool tell_run(const struct fact_sink *sink, unsigned i, GRand *random, GError **error)
{
    static const char *const preempts[] = {"none", "voluntary", "full", "lazy", "rt"};
    static const char *const pages[] = {"4K", "THP", "2M", "1G"};
    static const char *const names[METRICS] = {
        "tps",         "latency_avg",  "latency_stddev", "latency_p50",      "latency_p95",
        "latency_p99", "minor_faults", "major_faults",   "context_switches", "cpu_seconds",
    };
    g_autofree char *host = g_strdup_printf("host%u", i % 40);
    g_autofree char *clients = g_strdup_printf("%u", 1u << i % 11);
    g_autofree char *commit = commit_of(i);
    const struct setting settings[] = {
        {"preempt", preempts[i % 5], false},
        {"page", pages[i / 5 % 4], false},
        {"clients", clients, true},
        {"host", host, false},
        {"arch", "arm64", false},
        {"vcpus", "96", true},
        {"kernel", "7.0.0-rc6", false},
        {"scale", "8470", true},
        {"protocol", "prepared", false},
        {"commit", commit, false},
    };
    const struct run_fact run = {
        .benchmark = "pgbench",
        .workload = i % 3 ? "simple update" : "select only",
        .started_ns = 1700000000000000000 + (int64_t)i * 60000000000,
        .settings = settings,
        .n_settings = G_N_ELEMENTS(settings),
    };
    if (!sink_run(sink, &run, error))
        return false;
    for (unsigned k = 0; k < METRICS; k++) {
        const struct metric_fact metric = {
            .name = names[k],
            .value = g_rand_double_range(random, 1, 100000),
            .unit = k == 0 ? "1/s" : "s",
            .better = k == 0 ? BETTER_HIGHER : BETTER_LOWER,
            .n = 1,
            .stddev = NAN,
        };
        if (!sink_metric(sink, &metric, error))
            return false;
    }
    return true;
}

static void fill(const char *path, unsigned runs)
{
    GError *error = NULL;
    struct archive *archive = archive_open(path, ARCHIVE_WRITE, &error);
    must(archive, error);
    const struct fact_sink *sink = archive_sink(archive);
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    for (unsigned i = 0; i < runs;) {
        g_autofree char *name = g_strdup_printf("results-%u.csv", i);
        const struct source_fact source = {.path = name, .format = "csv"};
        struct source_summary summary = {.records = RUNS_PER_SOURCE};
        digest_bytes(name, strlen(name), summary.sha256);
        must(sink_source_begin(sink, &source, &error), error);
        for (unsigned k = 0; k < RUNS_PER_SOURCE && i < runs; k++)
            must(tell_run(sink, i++, random, &error), error);
        must(sink_source_end(sink, &summary, true, &error), error);
    }
    archive_close(archive);
}

// Asks for runs and their tps, as report, compare and history do.
static void ask(struct archive *archive, const char *first, const char *second, int64_t since_ns)
{
    GError *error = NULL;
    const char *const where[] = {first, second, NULL};
    const struct run_filter filter = {where, since_ns};
    double start = now(CLOCK_MONOTONIC);
    g_autoptr(GPtrArray) runs = archive_runs(archive, &filter, &error);
    must(runs, error);
    double middle = now(CLOCK_MONOTONIC);
    g_autoptr(GPtrArray) metrics = archive_metrics(archive, &filter, "tps", &error);
    must(metrics, error);
    double end = now(CLOCK_MONOTONIC);
    printf("  %-22s %-18s %7u runs %8.1f ms, tps %8.1f ms\n",
           first                  ? first
           : since_ns > INT64_MIN ? "--since (last 1 %)"
                                  : "all",
           second ? second : "", runs->len, 1e3 * (middle - start), 1e3 * (end - middle));
}

// Takes `from` into an archive that is empty, and once more, when all of it is known.
static void merge(const char *from, const char *into)
{
    GError *error = NULL;
    struct archive *archive = archive_open(into, ARCHIVE_WRITE, &error);
    must(archive, error);
    for (unsigned pass = 0; pass < 2; pass++) {
        struct archive_import_counts counts;
        double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
        must(archive_import(archive, from, &counts, &error), error);
        printf("  import%s: %u sources stored, %u known: %.2f s (%.2f s of CPU)\n",
               pass ? " again" : "", counts.stored_sources, counts.known_sources,
               now(CLOCK_MONOTONIC) - wall, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    }
    archive_close(archive);
    g_unlink(into);
}

int main(int argc, char **argv)
{
    unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 200000;
    g_autofree char *path =
        g_build_filename(argc > 2 ? argv[2] : g_get_tmp_dir(), "bench-archive.db", NULL);
    g_unlink(path);
    double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    fill(path, runs);
    wall = now(CLOCK_MONOTONIC) - wall;
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;

    GError *error = NULL;
    struct archive_counts counts;
    struct archive *archive = archive_open(path, ARCHIVE_READ, &error);
    must(archive, error);
    double start = now(CLOCK_MONOTONIC);
    must(archive_count(archive, &counts, &error), error);
    double count_ms = 1e3 * (now(CLOCK_MONOTONIC) - start);
    g_autofree char *size = text_bytes(counts.file_bytes);
    printf("%u runs of %d metrics: %.1f s (%.1f s of CPU), %.0f runs/s; %s, %.0f B a run\n", runs,
           METRICS, wall, cpu, runs / wall, size, (double)counts.file_bytes / runs);
    printf("  %-41s %12s %8.1f ms\n", "info", "", count_ms);
    g_autofree char *one = g_strdup_printf("run=%u", runs / 2);
    ask(archive, one, NULL, INT64_MIN);
    ask(archive, "source=7", NULL, INT64_MIN);
    ask(archive, "host=host7", "clients=64", INT64_MIN);
    ask(archive, "preempt=lazy", "page=4K", INT64_MIN);
    g_autofree char *hash = commit_of(runs / 2);
    g_autofree char *commit = g_strconcat("commit=", hash, NULL);
    ask(archive, commit, NULL, INT64_MIN);
    ask(archive, NULL, NULL, 1700000000000000000 + (int64_t)runs / 100 * 99 * 60000000000);
    ask(archive, NULL, NULL, INT64_MIN);
    archive_close(archive);
    g_autofree char *merged = g_strconcat(path, ".merged", NULL);
    g_unlink(merged);
    merge(path, merged);
    g_unlink(path);
    return 0;
}
