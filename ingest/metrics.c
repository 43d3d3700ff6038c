// Names and units.
#include "metrics.h"

static const struct {
    const char *name, *unit;
    enum better better;
} standard[] = {
    {"tps", "1/s", BETTER_HIGHER},           {"latency_avg", "s", BETTER_LOWER},
    {"latency_stddev", "s", BETTER_LOWER},   {"latency_p50", "s", BETTER_LOWER},
    {"latency_p90", "s", BETTER_LOWER},      {"latency_p95", "s", BETTER_LOWER},
    {"latency_p99", "s", BETTER_LOWER},      {"latency_max", "s", BETTER_LOWER},
    {"latency_p999", "s", BETTER_LOWER},     {"latency_min", "s", BETTER_LOWER},
    {"failed", "1", BETTER_LOWER},           {"retried", "1", BETTER_LOWER},
    {"skipped", "1", BETTER_LOWER},          {"initial_connection_time", "s", BETTER_LOWER},
    {"minor_faults", "1", BETTER_LOWER},     {"major_faults", "1", BETTER_LOWER},
    {"context_switches", "1", BETTER_LOWER}, {"cpu_seconds", "s", BETTER_LOWER},
};

// Compared without case, with '_', '-' and blanks alike.
static const struct {
    const char *alias, *name;
} aliases[] = {
    {"tps", "tps"},
    {"transactions per second", "tps"},
    {"transactions/s", "tps"},
    {"txn/s", "tps"},
    {"tps excluding connections", "tps"},
    {"latency", "latency_avg"},
    {"latency avg", "latency_avg"},
    {"latency average", "latency_avg"},
    {"latency mean", "latency_avg"},
    {"avg latency", "latency_avg"},
    {"mean latency", "latency_avg"},
    {"lat", "latency_avg"},
    {"lat ms", "latency_avg"},
    {"lat avg", "latency_avg"},
    {"latency stddev", "latency_stddev"},
    {"latency sd", "latency_stddev"},
    {"lat sd", "latency_stddev"},
    {"lat stddev", "latency_stddev"},
    {"latency p50", "latency_p50"},
    {"latency median", "latency_p50"},
    {"latency p90", "latency_p90"},
    {"latency p95", "latency_p95"},
    {"latency p99", "latency_p99"},
    {"latency max", "latency_max"},
    {"max latency", "latency_max"},
    {"failed", "failed"},
    {"failed transactions", "failed"},
    {"retried", "retried"},
    {"skipped", "skipped"},
    {"initial connection time", "initial_connection_time"},
    {"minor faults", "minor_faults"},
    {"minflt", "minor_faults"},
    {"minflt delta", "minor_faults"},
    {"major faults", "major_faults"},
    {"majflt", "major_faults"},
    {"context switches", "context_switches"},
    {"ctx switches", "context_switches"},
    {"cs", "context_switches"},
    {"cpu seconds", "cpu_seconds"},
};

static bool same_words(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        char x = g_ascii_tolower(*a), y = *b;
        if (x == '_' || x == '-')
            x = ' ';
        if (x != y)
            return false;
    }
    return !*a && !*b;
}

const char *metric_standard_name(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(aliases); i++)
        if (same_words(name, aliases[i].alias))
            return aliases[i].name;
    return NULL;
}

const char *metric_unit(const char *standard_name)
{
    for (size_t i = 0; standard_name && i < G_N_ELEMENTS(standard); i++)
        if (strcmp(standard[i].name, standard_name) == 0)
            return standard[i].unit;
    return NULL;
}

enum better metric_better(const char *name, const char *unit)
{
    static const char *const lower[] = {"latency", "wait", "hold",  "fault",
                                        "fail",    "lag",  "jitter"};
    static const char *const rates[] = {"_per_s", "_per_sec", "_per_second"};
    for (size_t i = 0; i < G_N_ELEMENTS(standard); i++)
        if (strcmp(standard[i].name, name) == 0)
            return standard[i].better;
    for (size_t i = 0; i < G_N_ELEMENTS(lower); i++)
        if (strstr(name, lower[i]))
            return BETTER_LOWER;
    for (size_t i = 0; i < G_N_ELEMENTS(rates); i++)
        if (g_str_has_suffix(name, rates[i]))
            return BETTER_HIGHER;
    if (unit && (strcmp(unit, "1/s") == 0 || strcmp(unit, "B/s") == 0))
        return BETTER_HIGHER;
    return unit && strcmp(unit, "s") == 0 ? BETTER_LOWER : BETTER_UNKNOWN;
}

static const struct {
    const char *text, *base;
    double factor;
} units[] = {
    {"s", "s", 1},
    {"sec", "s", 1},
    {"secs", "s", 1},
    {"second", "s", 1},
    {"seconds", "s", 1},
    {"Seconds", "s", 1},
    {"ms", "s", 1e-3},
    {"msec", "s", 1e-3},
    {"milliseconds", "s", 1e-3},
    {"us", "s", 1e-6},
    {"usec", "s", 1e-6},
    {"\xC2\xB5s", "s", 1e-6}, // micro sign
    {"\xCE\xBCs", "s", 1e-6}, // Greek mu
    {"microseconds", "s", 1e-6},
    {"ns", "s", 1e-9},
    {"nsec", "s", 1e-9},
    {"nanoseconds", "s", 1e-9},
    {"min", "s", 60},
    {"h", "s", 3600},
    {"B", "B", 1},
    {"bytes", "B", 1},
    {"Byte", "B", 1},
    {"kB", "B", 1024}, // as PostgreSQL and the kernel mean it
    {"KB", "B", 1024},
    {"KiB", "B", 1024},
    {"MB", "B", 1048576},
    {"MiB", "B", 1048576},
    {"GB", "B", 1073741824},
    {"GiB", "B", 1073741824},
    {"TB", "B", 1099511627776},
    {"TiB", "B", 1099511627776},
    {"B/s", "B/s", 1},
    {"KiB/s", "B/s", 1024},
    {"kB/s", "B/s", 1024},
    {"MB/s", "B/s", 1e6},
    {"MiB/s", "B/s", 1048576},
    {"MiB/sec", "B/s", 1048576},
    {"GB/s", "B/s", 1e9},
    {"GiB/s", "B/s", 1073741824},
    {"1/s", "1/s", 1},
    {"/s", "1/s", 1},
    {"tps", "1/s", 1},
    {"TPS", "1/s", 1},
    {"tr/s", "1/s", 1},
    {"txn/s", "1/s", 1},
    {"ops/s", "1/s", 1},
    {"qps", "1/s", 1},
    {"iops", "1/s", 1},
    {"IOPS", "1/s", 1},
    {"K/s", "1/s", 1e3},
    {"M/s", "1/s", 1e6},
    {"K/sec", "1/s", 1e3},
    {"M/sec", "1/s", 1e6},
    {"G/sec", "1/s", 1e9},
    {"/sec", "1/s", 1},
    {"Hz", "1/s", 1},
    {"kHz", "1/s", 1e3},
    {"MHz", "1/s", 1e6},
    {"GHz", "1/s", 1e9},
    {"1", "1", 1},
    {"x", "1", 1},
    {"\xC3\x97", "1", 1}, // multiplication sign
    {"pages", "1", 1},
    {"faults", "1", 1},
    {"count", "1", 1},
    {"%", "%", 1},
};

bool unit_parse(struct slice text, const char **base, double *factor)
{
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
        if (!slice_is(text, units[i].text))
            continue;
        *base = units[i].base;
        *factor = units[i].factor;
        return true;
    }
    return false;
}

double unit_apply(double value, double factor)
{
    static const struct {
        double factor;
        const char *exponent;
    } decimal[] = {{1e-3, "e-3"}, {1e-6, "e-6"}, {1e-9, "e-9"}};
    for (size_t i = 0; isfinite(value) && i < G_N_ELEMENTS(decimal); i++) {
        if (factor != decimal[i].factor)
            continue;
        g_autofree char *digits = text_double(value);
        if (strchr(digits, 'e'))
            break;
        g_autofree char *text = g_strconcat(digits, decimal[i].exponent, NULL);
        return g_ascii_strtod(text, NULL);
    }
    return value * factor;
}

bool count_from(double value, uint64_t *count)
{
    if (!(value >= 0 && value <= 1e15))
        return false;
    *count = (uint64_t)value;
    return true;
}
