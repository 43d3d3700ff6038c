// A result as text for people or as CSV for `spinfault ingest`. Times in the CSV are seconds and
// throughput is 1/s: base units, so that nothing has to be guessed from a column's name.
#include "output.h"

#include <inttypes.h>
#include <stdio.h>

#include "host.h"

const char *const page_names[] = {"4k", "thp", "2m", "1g"};
const char *const prefault_names[] = {"no", "parent", "worker"};

static const double quantiles[] = {0.5, 0.99, 0.999};

void output_csv_header(void)
{
    printf("benchmark,workload,repetition,kernel,preempt,arch,vcpus,page,page_asked,prefault,touch,"
           "lock,workers_are,clients,operations,think_ns,duration_s,"
           "tps [1/s],hold_mean [s],hold_p50 [s],hold_p99 [s],hold_p999 [s],hold_max [s],"
           "wait_mean [s],wait_p50 [s],wait_p99 [s],wait_p999 [s],wait_max [s],"
           "minor_faults,major_faults,lock_sleeps,voluntary_switches,involuntary_switches,"
           "cpu_seconds [s]\n");
}

static void print_times(const struct histogram *h)
{
    printf(",%.3e", h->count ? (double)h->sum / (double)h->count / 1e9 : 0);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
        printf(",%.3e", (double)histogram_quantile(h, quantiles[i]) / 1e9);
    printf(",%.3e", (double)h->max / 1e9);
}

void output_csv(const struct run_options *options, const struct run_result *result, int repetition)
{
    printf("faultlock,take,%d,%s,%s,%s,%ld,%s,%s,%s,%s,%s,%s,%d,%" PRIu64 ",%u,%.4f,%.1f",
           repetition, host_kernel(), host_preempt(), host_arch(), host_cpus(), result->page_used,
           page_names[options->page], prefault_names[options->prefault],
           options->touch_before ? "before" : "inside", options->lock->name,
           options->threads ? "threads" : "processes", options->workers, result->operations,
           options->think_ns, result->seconds, (double)result->operations / result->seconds);
    print_times(&result->hold);
    print_times(&result->wait);
    printf(",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.3f\n",
           result->minor_faults, result->major_faults, result->sleeps, result->voluntary_switches,
           result->involuntary_switches, result->cpu_seconds);
    fflush(stdout);
}

static void print_row(const char *name, const struct histogram *h)
{
    printf("  %-5s", name);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
        printf("%12.3f", (double)histogram_quantile(h, quantiles[i]) / 1e3);
    printf("%12.3f\n", (double)h->max / 1e3);
}

void output_text(const struct run_options *options, const struct run_result *result)
{
    printf("%d %s, %s lock, pages asked %s, used %s, prefault %s, touch %s the lock\n",
           options->workers, options->threads ? "threads" : "processes", options->lock->name,
           page_names[options->page], *result->page_used ? result->page_used : "unknown",
           prefault_names[options->prefault], options->touch_before ? "before" : "inside");
    printf("  %" PRIu64 " slots taken in %.3f s: %.0f a second\n", result->operations,
           result->seconds, (double)result->operations / result->seconds);
    printf("  %" PRIu64 " minor faults: %.3f a slot; %" PRIu64 " major\n", result->minor_faults,
           (double)result->minor_faults / (double)result->operations, result->major_faults);
    printf("  %" PRIu64 " sleeps on the lock, %" PRIu64 " involuntary switches, %.3f s of CPU\n",
           result->sleeps, result->involuntary_switches, result->cpu_seconds);
    printf("  in us %11s%12s%12s%12s\n", "p50", "p99", "p99.9", "max");
    print_row("hold", &result->hold);
    print_row("wait", &result->wait);
}
