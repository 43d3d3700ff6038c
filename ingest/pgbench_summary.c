// pgbench's final report, versions 9.6 to 19. Its text is never translated and its numbers never
// follow the locale.
#include "pgbench.h"

#include "settings.h"

enum kind {
    TEXT,   // a setting as it is
    COUNT,  // a metric: the number in front
    MILLIS, // a metric in ms
};

// Lines "KEY VALUE" of the whole run. `name` is a setting for TEXT, else a metric.
static const struct {
    const char *key;
    enum kind kind;
    const char *name;
} keys[] = {
    {"query mode: ", TEXT, "protocol"},
    {"number of clients: ", TEXT, "clients"},
    {"number of threads: ", TEXT, "threads"},
    {"maximum number of tries: ", TEXT, "max_tries"},
    {"number of transactions per client: ", TEXT, "transactions_per_client"},
    {"partition method: ", TEXT, "partition_method"},
    {"partitions: ", TEXT, "partitions"},
    {"number of failed transactions: ", COUNT, "failed"},
    {"number of serialization failures: ", COUNT, "serialization_failures"},
    {"number of deadlock failures: ", COUNT, "deadlock_failures"},
    {"number of other failures: ", COUNT, "other_failures"},
    {"number of transactions retried: ", COUNT, "retried"},
    {"total number of retries: ", COUNT, "retries"},
    {"number of transactions skipped: ", COUNT, "skipped"},
    {"number of transactions above the ", COUNT, "above_latency_limit"},
    {"latency average = ", MILLIS, "latency_avg"},
    {"latency average: ", MILLIS, "latency_avg"}, // before 9.6
    {"latency stddev = ", MILLIS, "latency_stddev"},
    {"latency stddev: ", MILLIS, "latency_stddev"},
    {"initial connection time = ", MILLIS, "initial_connection_time"},
    {"average connection time = ", MILLIS, "connection_time_avg"},
};

static struct slice after(struct slice line, const char *key)
{
    size_t n = strlen(key);
    return (struct slice){line.data + n, line.len - n};
}

// The number that `s` begins with.
static bool leading_number(struct slice s, double *value)
{
    struct slice number = {s.data, 0};
    while (number.len < s.len && (g_ascii_isdigit(s.data[number.len]) || s.data[number.len] == '.'))
        number.len++;
    return slice_to_double(number, value);
}

static bool is_nan(struct slice s)
{
    s = slice_trim(s);
    size_t sign = slice_starts(s, "-") ? 1 : 0;
    return s.len >= sign + 3 && g_ascii_strncasecmp(s.data + sign, "nan", 3) == 0;
}

// "<builtin: simple update>" is "simple update"; a file's name stays as it is.
static struct slice workload_name(struct slice s)
{
    s = slice_trim(s);
    if (slice_starts(s, "<builtin: ") && slice_ends(s, ">"))
        s = (struct slice){s.data + 10, s.len - 11};
    return s;
}

// pgbench knows the scale of its own scripts only. Before 9.6 their names had no "<builtin".
static bool is_own_script(struct slice s)
{
    static const char *const old[] = {"TPC-B (sort of)", "SELECT only",
                                      "Update only pgbench_accounts", "multiple scripts"};
    s = slice_trim(s);
    for (size_t i = 0; i < G_N_ELEMENTS(old); i++)
        if (slice_is(s, old[i]))
            return false;
    return !slice_starts(s, "<builtin: ");
}

// "script:2:select only/tps" for a metric of one of several scripts.
static const char *metric_name(struct pgbench_summary *s, const char *name)
{
    if (s->script == 0)
        return name;
    g_autofree char *script = slice_dup(s->script_name);
    g_autofree char *full = g_strdup_printf("script:%u:%s/%s", s->script, script, name);
    return run_text(s->run, slice_from(full));
}

static void add_metric(struct pgbench_summary *s, const char *name, double value, const char *unit)
{
    run_metric(s->run, metric_name(s, name), value, unit);
}

void pgbench_summary_begin(struct pgbench_summary *s, struct run_builder *run, uint64_t line,
                           size_t prefix)
{
    *s = (struct pgbench_summary){.run = run,
                                  .open = true,
                                  .line = line,
                                  .prefix = prefix,
                                  .processed = NAN,
                                  .expected = NAN,
                                  .duration = NAN};
}

// "tps = X (without initial connection time)". Before 14 there are two: the one that leaves out the
// connections is what later versions print.
static bool tps_line(struct pgbench_summary *s, struct slice line)
{
    double value;
    if (!slice_starts(line, "tps = ") || !leading_number(after(line, "tps = "), &value))
        return false;
    if (memmem(line.data, line.len, "(including connections", 22)) {
        add_metric(s, "tps_including_connections", value, "1/s");
        return true;
    }
    struct metric_fact *m = run_metric(s->run, "tps", value, "1/s");
    if (memmem(line.data, line.len, "(including reconnection", 23))
        m->why = "including reconnection times (-C)";
    s->has_tps = true;
    return true;
}

// "actually processed: 2000/2000"
static bool processed_line(struct pgbench_summary *s, struct slice line)
{
    static const char key[] = "number of transactions actually processed: ";
    if (!slice_starts(line, key))
        return false;
    struct slice value = after(line, key);
    leading_number(value, &s->processed);
    const char *slash = value.len ? memchr(value.data, '/', value.len) : NULL;
    if (slash)
        leading_number((struct slice){slash + 1, (size_t)(value.data + value.len - slash) - 1},
                       &s->expected);
    if (isfinite(s->processed))
        add_metric(s, "transactions", s->processed, NULL);
    return true;
}

// "rate limit schedule lag: avg 1.286 (max 21.986) ms"
static bool lag_line(struct pgbench_summary *s, struct slice line)
{
    static const char key[] = "rate limit schedule lag: avg ";
    double value;
    if (!slice_starts(line, key))
        return false;
    if (leading_number(after(line, key), &value))
        add_metric(s, "lag_avg", value, "ms");
    const char *max = memmem(line.data, line.len, "(max ", 5);
    if (max &&
        leading_number((struct slice){max + 5, (size_t)(line.data + line.len - max) - 5}, &value))
        add_metric(s, "lag_max", value, "ms");
    return true;
}

static bool setting_line(struct pgbench_summary *s, struct slice line)
{
    double value;
    if (slice_starts(line, "transaction type: ")) {
        struct slice type = after(line, "transaction type: ");
        s->run->workload = run_text(s->run, workload_name(type));
        s->own_script = is_own_script(type);
        s->several = slice_is(slice_trim(type), "multiple scripts");
        return true;
    }
    if (slice_starts(line, "scaling factor: ")) {
        run_set(s->run, "scale", after(line, "scaling factor: "));
        return true;
    }
    if (slice_starts(line, "duration: ") && leading_number(after(line, "duration: "), &value)) {
        s->duration = value;
        g_autofree char *text = text_double(value);
        run_set(s->run, "duration_s", slice_from(text));
        return true;
    }
    return false;
}

static bool key_line(struct pgbench_summary *s, struct slice line)
{
    double value;
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (!slice_starts(line, keys[i].key))
            continue;
        struct slice rest = after(line, keys[i].key);
        if (keys[i].kind == TEXT) {
            run_set(s->run, keys[i].name, rest);
            return true;
        }
        if (strstr(keys[i].key, "above the")) {
            const char *colon = memmem(rest.data, rest.len, "limit: ", 7);
            if (!colon)
                return false;
            rest = (struct slice){colon + 7, (size_t)(rest.data + rest.len - colon) - 7};
        }
        if (leading_number(rest, &value))
            add_metric(s, keys[i].name, value, keys[i].kind == MILLIS ? "ms" : NULL);
        else if (is_nan(rest))
            run_missing(s->run, metric_name(s, keys[i].name), "pgbench printed NaN");
        else
            return false;
        return true;
    }
    return false;
}

// "SQL script 1: <builtin: select only>", then lines that begin with " - ".
static bool script_line(struct pgbench_summary *s, struct slice line)
{
    double value;
    if (slice_starts(line, "SQL script ")) {
        const char *colon = memchr(line.data, ':', line.len);
        if (!colon || !leading_number(after(line, "SQL script "), &value))
            return false;
        struct slice name = {colon + 1, (size_t)(line.data + line.len - colon) - 1};
        s->script = (unsigned)CLAMP(value, 0, 1e6);
        s->builtin |= !is_own_script(name);
        s->script_name = slice_from(run_text(s->run, workload_name(name)));
        s->statements = false;
        s->statement = 0;
        return true;
    }
    if (s->script == 0 || !slice_starts(line, " - "))
        return false;
    line = after(line, " - ");
    if (slice_starts(line, "weight: ") && leading_number(after(line, "weight: "), &value)) {
        add_metric(s, "weight", value, NULL);
        return true;
    }
    const char *tps = memmem(line.data, line.len, "tps = ", 6);
    double each;
    if (tps &&
        leading_number((struct slice){tps + 6, (size_t)(line.data + line.len - tps) - 6}, &each))
        add_metric(s, "tps", each, "1/s");
    if (memmem(line.data, line.len, "transactions (", 14) && leading_number(line, &value)) {
        add_metric(s, "transactions", value, NULL);
        return true;
    }
    if (slice_starts(line, "statement latencies")) {
        s->statements = true;
        return true;
    }
    return tps || key_line(s, line);
}

// "         0.234           0  BEGIN;": a latency in ms, then one or two counts since version 15.
static bool statement_line(struct pgbench_summary *s, struct slice line)
{
    struct slice rest = slice_trim(line), number = {rest.data, 0};
    double ms;
    if (!s->statements || rest.len == line.len)
        return false;
    while (number.len < rest.len && rest.data[number.len] != ' ')
        number.len++;
    if (!slice_to_double(number, &ms))
        return false;
    rest = (struct slice){rest.data + number.len, rest.len - number.len};
    for (int i = 0; i < 2; i++) {
        struct slice s2 = slice_trim(rest), word = {s2.data, 0};
        uint64_t count;
        while (word.len < s2.len && s2.data[word.len] != ' ')
            word.len++;
        if (!slice_to_u64(word, &count))
            break;
        rest = (struct slice){s2.data + word.len, s2.len - word.len};
    }
    rest = slice_trim(rest);
    g_autofree char *text = slice_dup(rest);
    g_autofree char *name = g_strdup_printf("statement:%u:%s", ++s->statement, text ? text : "");
    add_metric(s, name, ms, "ms");
    return true;
}

bool pgbench_summary_line(struct pgbench_summary *s, struct slice line)
{
    if (slice_starts(line, "statement latencies")) {
        s->statements = true;
        return true;
    }
    if (script_line(s, line) || statement_line(s, line))
        return true;
    if (s->script > 0)
        return false;
    return tps_line(s, line) || processed_line(s, line) || lag_line(s, line) ||
           setting_line(s, line) || key_line(s, line);
}

static double metric_value(struct run_builder *run, const char *name, double otherwise)
{
    struct metric_fact *m = run_find_metric(run, name);
    return m && isfinite(m->value) ? m->value : otherwise;
}

// A run whose clients all gave up still prints a tps that looks well. Its time tells: transactions
// over tps is how long it ran.
static void judge_duration(struct pgbench_summary *s)
{
    struct run_builder *run = s->run;
    double tps = metric_value(run, "tps_including_connections", metric_value(run, "tps", NAN));
    double connecting = metric_value(run, "initial_connection_time", 0);
    double ran = s->processed / tps + connecting;
    if (isfinite(ran) && s->duration - ran > MAX(0.05 * s->duration, 0.2)) {
        g_autofree char *why =
            g_strdup_printf("it ran %.3g s of %g s, by its own tps", ran, s->duration);
        run_fail(run, why);
    }
    double ended = s->processed + metric_value(run, "failed", 0) + metric_value(run, "skipped", 0);
    if (isfinite(s->expected) && ended < s->expected) {
        g_autofree char *why =
            g_strdup_printf("%.0f of %.0f transactions were processed", ended, s->expected);
        run_fail(run, why);
    }
}

// For scripts of one's own 1 is printed, whatever the tables hold.
static void settle_scale(struct pgbench_summary *s)
{
    const char *scale = settings_get(s->run->settings, "scale");
    bool own = s->several ? s->script > 0 && !s->builtin : s->own_script;
    if (!own || g_strcmp0(scale, "1") != 0)
        return;
    settings_unset(s->run->settings, "scale");
    run_set(s->run, "scale_reported", SLICE("1"));
}

void pgbench_summary_end(struct pgbench_summary *s)
{
    s->open = false;
    settle_scale(s);
    if (s->has_tps) {
        judge_duration(s);
        return;
    }
    bool none = s->processed == 0;
    const char *why =
        none ? "no transaction was processed" : "the summary has no tps line: the text is cut off";
    run_fail(s->run, why);
    run_missing(s->run, "tps", why);
    if (!run_find_metric(s->run, "latency_avg"))
        run_missing(s->run, "latency_avg", why);
}
