// The names of things on the page: modes, page sizes, verdicts.
#include "model/model.h"

const char *preempt_long(const char *preempt)
{
    static const struct {
        const char *mode, *name;
    } names[] = {{"none", "PREEMPT_NONE"},
                 {"voluntary", "PREEMPT_VOLUNTARY"},
                 {"full", "PREEMPT (full)"},
                 {"lazy", "PREEMPT_LAZY"},
                 {"rt", "PREEMPT_RT"}};
    for (size_t i = 0; preempt && i < G_N_ELEMENTS(names); i++)
        if (strcmp(names[i].mode, preempt) == 0)
            return names[i].name;
    return preempt && *preempt ? preempt : "an unrecorded preemption mode";
}

const char *preempt_short(const char *preempt)
{
    static const struct {
        const char *mode, *name;
    } names[] = {{"none", "NONE"},
                 {"voluntary", "VOLUNTARY"},
                 {"full", "FULL"},
                 {"lazy", "LAZY"},
                 {"rt", "RT"}};
    for (size_t i = 0; preempt && i < G_N_ELEMENTS(names); i++)
        if (strcmp(names[i].mode, preempt) == 0)
            return names[i].name;
    return preempt && *preempt ? preempt : "not recorded";
}

const char *page_label(const char *page)
{
    static const struct {
        const char *page, *label;
    } labels[] = {{"4K", "4K pages"}, {"16K", "16K pages"}, {"64K", "64K pages"},
                  {"THP", "THP"},     {"2M", "2M pages"},   {"1G", "1G pages"}};
    for (size_t i = 0; page && i < G_N_ELEMENTS(labels); i++)
        if (strcmp(labels[i].page, page) == 0)
            return labels[i].label;
    return page && *page ? page : "page size not recorded";
}

const char *metric_label(const char *metric)
{
    static const struct {
        const char *metric, *label;
    } labels[] = {{"tps", "throughput"},
                  {"latency_avg", "average latency"},
                  {"latency_stddev", "deviation of latency"},
                  {"latency_p50", "median latency"},
                  {"latency_p90", "90th percentile of latency"},
                  {"latency_p95", "95th percentile of latency"},
                  {"latency_p99", "99th percentile of latency"},
                  {"latency_max", "longest latency"},
                  {"minor_faults", "minor faults"},
                  {"major_faults", "major faults"},
                  {"context_switches", "context switches"},
                  {"cpu_seconds", "CPU time"}};
    for (size_t i = 0; i < G_N_ELEMENTS(labels); i++)
        if (strcmp(labels[i].metric, metric) == 0)
            return labels[i].label;
    return metric;
}

static const struct {
    const char *word, *symbol, *class;
} verdicts[] = {
    [VERDICT_NONE] = {"", "", "none"},
    [VERDICT_SLOWER] = {"slower", "▼", "worse"},
    [VERDICT_FASTER] = {"faster", "▲", "better"},
    [VERDICT_SAME] = {"no difference", "●", "same"},
    [VERDICT_UNSURE] = {"unsure", "?", "unsure"},
};

const char *verdict_word(enum verdict verdict)
{
    return verdicts[verdict].word;
}

const char *verdict_symbol(enum verdict verdict)
{
    return verdicts[verdict].symbol;
}

const char *verdict_class(enum verdict verdict)
{
    return verdicts[verdict].class;
}

const char *method_name(enum method method)
{
    static const char *const names[] = {"none", "pooled-log-sd", "hodges-lehmann-log",
                                        "signed-rank-log"};
    return names[method];
}

const char *evidence_name(enum evidence_state state)
{
    static const char *const names[] = {"confirmed", "contended", "seen running without fault",
                                        "not exercised", "no data"};
    return names[state];
}
