// pgbench's text: summaries, progress and logs as the versions 9.6 to 19 print them, with any
// options, give the figures that were printed, and no others.
#include "property.h"

#include "spinfault/base.h"

struct options {
    unsigned version; // 9 for 9.6
    bool connect, rate, limit, retries, detailed, commands, per_client, progress, epoch;
    unsigned scripts; // 1 or more
    const char *prefix;
    unsigned clients, threads, seconds;
};

struct figures {
    unsigned transactions, failed, serialization, deadlock, other, retried, total, skipped, above;
    double latency, stddev, lag, lag_max, connecting, tps, tps_including;
};

struct interval {
    double t, tps, latency, stddev, lag;
    unsigned failed, skipped, retried, retries;
};

static void options_of(struct gen *g, struct options *o)
{
    static const unsigned versions[] = {9, 12, 13, 14, 15, 16, 17, 19};
    static const char *const prefixes[] = {"", "> ",
                                           "[db1.example] out: ", "[20261130.141505] [INFO] ",
                                           "Nov 30 14:15:05 "};
    *o = (struct options){.version = gen_pick(g, versions),
                          .connect = gen_below(g, 4) == 0,
                          .rate = gen_maybe(g),
                          .commands = gen_maybe(g),
                          .progress = gen_maybe(g),
                          .epoch = gen_maybe(g),
                          .scripts = gen_maybe(g) ? 1 : 2 + gen_below(g, 2),
                          .prefix = gen_pick(g, prefixes),
                          .clients = 1 + gen_below(g, 1000),
                          .threads = 1 + gen_below(g, 8),
                          .seconds = 3 + gen_below(g, 600)};
    o->limit = gen_maybe(g);
    o->retries = o->version >= 15 && gen_maybe(g);
    o->detailed = o->version >= 15 && gen_maybe(g);
    o->per_client = gen_below(g, 4) == 0;
}

// Rounded as pgbench prints it, so that what is read can be compared exactly.
static double rounded(double value, int decimals)
{
    g_autofree char *text = g_strdup_printf("%.*f", decimals, value);
    return g_ascii_strtod(text, NULL);
}

static void figures_of(struct gen *g, const struct options *o, struct figures *f)
{
    *f = (struct figures){.transactions = 1 + gen_below(g, 1000000),
                          .latency = rounded(gen_between(g, 0.01, 500), 3),
                          .stddev = rounded(gen_between(g, 0.01, 500), 3),
                          .lag = rounded(gen_between(g, 0.01, 50), 3),
                          .lag_max = rounded(gen_between(g, 0.01, 5000), 3),
                          .connecting = rounded(gen_between(g, 0.5, 20), 3)};
    if (o->version >= 15) {
        f->serialization = gen_below(g, 100);
        f->deadlock = gen_below(g, 100);
        f->other = o->version >= 19 ? gen_below(g, 100) : 0;
        f->failed = f->serialization + f->deadlock + f->other;
        f->retried = gen_below(g, 100);
        f->total = f->retried * 2;
    }
    if (o->per_client)
        f->transactions = o->clients * 1000 - f->failed;
    f->skipped = o->rate && o->limit ? gen_below(g, 100) : 0;
    if (o->per_client)
        f->transactions -= f->skipped;
    f->above = gen_below(g, f->transactions);
    f->tps = rounded(f->transactions / (o->seconds - f->connecting / 1e3), 6);
    f->tps_including = rounded(f->transactions / (double)o->seconds, 6);
}

G_GNUC_PRINTF(3, 4)
static void line(struct gen *g, const struct options *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_string_append(g->text, o->prefix);
    g_string_append_vprintf(g->text, format, args);
    g_string_append_c(g->text, '\n');
    va_end(args);
}

// The lines of failures and the like, of the whole run or (with " - " before) of a script.
static void add_counts(struct gen *g, const struct options *o, const struct figures *f,
                       const char *dash)
{
    const char *blank = o->version < 15 ? " " : "";
    if (o->version >= 15)
        line(g, o, "%snumber of failed transactions: %u (%.3f%%)", dash, f->failed, 0.5);
    if (o->detailed) {
        line(g, o, "%snumber of serialization failures: %u (0.1%%)", dash, f->serialization);
        line(g, o, "%snumber of deadlock failures: %u (NaN%%)", dash, f->deadlock);
        if (o->version >= 19)
            line(g, o, "%snumber of other failures: %u (0.100%%)", dash, f->other);
    }
    if (o->retries) {
        line(g, o, "%snumber of transactions retried: %u (1.000%%)", dash, f->retried);
        line(g, o, "%stotal number of retries: %u", dash, f->total);
    }
    if (o->rate && o->limit)
        line(g, o, "%snumber of transactions skipped: %u (0.100%s%%)", dash, f->skipped, blank);
}

static void add_commands(struct gen *g, const struct options *o, const char *dash)
{
    line(g, o, "%sstatement latencies in milliseconds%s:", dash,
         o->version < 15 ? ""
         : o->retries    ? " and failures, failures and retries"
                         : " and failures");
    const char *counts = o->version < 15 ? "" : o->retries ? "         7          9" : "         7";
    line(g, o, "  %11.3f%s  \\set aid random(1, 100000 * :scale)", 0.002, counts);
    line(g, o, "  %11.3f%s%sUPDATE t SET x = 1 WHERE id = 5;", 12.375, counts,
         o->version >= 19 ? " " : "  ");
}

static void add_script(struct gen *g, const struct options *o, const struct figures *f, unsigned n)
{
    line(g, o, "SQL script %u: %s", n, n == 1 ? "<builtin: select only>" : "/bench/own.sql");
    line(g, o, " - weight: %u (targets 50.0%% of total)", n);
    if (o->version >= 19) {
        line(g, o, " - %u transactions (50.0%% of total)", f->transactions);
        line(g, o, " - number of transactions actually processed: %u (tps = %.6f)", f->transactions,
             f->tps / n);
    } else {
        line(g, o, " - %u transactions (50.0%% of total, tps = %.6f)", f->transactions, f->tps / n);
    }
    add_counts(g, o, f, " - ");
    line(g, o, " - latency average = %.3f ms", f->latency * n);
    line(g, o, " - latency stddev = %.3f ms", f->stddev * n);
    if (o->commands)
        add_commands(g, o, " - ");
}

static void add_head(struct gen *g, const struct options *o)
{
    if (o->version >= 14)
        line(g, o, "pgbench (%u.2 (Debian %u.2-1), server %u.18)", o->version, o->version,
             o->version);
    line(g, o, "transaction type: %s",
         o->scripts > 1 ? "multiple scripts" : "<builtin: TPC-B (sort of)>");
    line(g, o, "scaling factor: 50");
    if (o->version >= 13 && o->connect)
        line(g, o, "partition method: hash\n%spartitions: 8", o->prefix);
    line(g, o, "query mode: prepared");
    line(g, o, "number of clients: %u", o->clients);
    line(g, o, "number of threads: %u", o->threads);
    if (o->version >= 15)
        line(g, o, "maximum number of tries: %d", o->retries ? 5 : 1);
}

static void add_rates(struct gen *g, const struct options *o, const struct figures *f)
{
    if (o->version < 14) {
        line(g, o, "tps = %.6f (including connections establishing)", f->tps_including);
        line(g, o, "tps = %.6f (excluding connections establishing)", f->tps);
    } else if (o->connect) {
        line(g, o, "average connection time = %.3f ms", f->connecting);
        line(g, o, "tps = %.6f (including reconnection times)", f->tps);
    } else {
        line(g, o, "initial connection time = %.3f ms", f->connecting);
        line(g, o, "tps = %.6f (without initial connection time)", f->tps);
    }
}

static void add_summary(struct gen *g, const struct options *o, const struct figures *f)
{
    const char *is = o->version == 9 ? ":" : " =";
    add_head(g, o);
    if (o->per_client)
        line(g, o,
             "number of transactions per client: 1000\n%snumber of transactions actually "
             "processed: %u/%u",
             o->prefix, f->transactions, o->clients * 1000);
    else
        line(g, o, "duration: %u s\n%snumber of transactions actually processed: %u", o->seconds,
             o->prefix, f->transactions);
    add_counts(g, o, f, "");
    if (o->limit)
        line(g, o, "number of transactions above the 2.0 ms latency limit: %u/%u (1.5%s%%)",
             f->above, f->transactions, o->version < 15 ? " " : "");
    line(g, o, "latency average%s %.3f ms%s", is, f->latency,
         o->version >= 15 && !o->rate && !o->progress ? " (including failures)" : "");
    if (o->rate || o->progress)
        line(g, o, "latency stddev%s %.3f ms", is, f->stddev);
    if (o->rate)
        line(g, o, "rate limit schedule lag: avg %.3f (max %.3f) ms", f->lag, f->lag_max);
    add_rates(g, o, f);
    for (unsigned n = 1; o->scripts > 1 && n <= o->scripts; n++)
        add_script(g, o, f, n);
    if (o->scripts == 1 && o->commands)
        add_commands(g, o, "");
}

static void add_progress(struct gen *g, const struct options *o, struct interval *i, unsigned n)
{
    GString *s = g_string_new(NULL);
    *i = (struct interval){.t = o->epoch ? rounded(1796044888.25 + n, 3) : 5.0 * (n + 1),
                           .tps = rounded(gen_between(g, 0.1, 99999), 1),
                           .latency = rounded(gen_between(g, 0.01, 500), 3),
                           .stddev = rounded(gen_between(g, 0.01, 500), 3),
                           .lag = rounded(gen_between(g, 0.01, 500), 3),
                           .failed = gen_below(g, 50),
                           .skipped = gen_below(g, 50),
                           .retried = gen_below(g, 50),
                           .retries = gen_below(g, 50)};
    g_string_printf(s, "progress: %.*f s, %.1f tps, lat %.3f ms stddev %.3f", o->epoch ? 3 : 1,
                    i->t, i->tps, i->latency, i->stddev);
    if (o->version >= 15)
        g_string_append_printf(s, ", %u failed", i->failed);
    if (o->rate)
        g_string_append_printf(s, ", lag %.3f ms", i->lag);
    if (o->rate && o->limit)
        g_string_append_printf(s, ", %u skipped", i->skipped);
    if (o->retries)
        g_string_append_printf(s, ", %u retried, %u retries", i->retried, i->retries);
    line(g, o, "%s", s->str);
    g_string_free(s, TRUE);
}

static void expect_counts(struct gen *g, const char *facts, const struct options *o,
                          const struct figures *f, const char *script)
{
    const struct {
        const char *name;
        bool there;
        unsigned value;
    } all[] = {{"transactions", true, f->transactions},
               {"failed", o->version >= 15, f->failed},
               {"serialization_failures", o->detailed, f->serialization},
               {"deadlock_failures", o->detailed, f->deadlock},
               {"other_failures", o->detailed && o->version >= 19, f->other},
               {"retried", o->retries, f->retried},
               {"retries", o->retries, f->total},
               {"skipped", o->rate && o->limit, f->skipped}};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        g_autofree char *name = g_strconcat(script, all[i].name, NULL);
        g_autofree char *key = g_strdup_printf("\"metric\",\"name\":\"%s\"", name);
        if (all[i].there)
            gen_expect_metric(g, facts, name, all[i].value);
        gen_expect_count(g, facts, key, all[i].there);
    }
}

static void expect_summary(struct gen *g, const char *facts, const struct options *o,
                           const struct figures *f)
{
    g_autofree char *clients = g_strdup_printf("\"clients\":%u", o->clients);
    gen_expect(g, facts, clients);
    gen_expect(g, facts, "\"scale\":50");
    gen_expect(g, facts, "\"protocol\":\"prepared\"");
    gen_expect(g, facts, "\"status\":\"complete\",\"why\":null");
    expect_counts(g, facts, o, f, "");
    gen_expect_metric(g, facts, "tps", f->tps);
    gen_expect_metric(g, facts, "latency_avg", f->latency / 1e3);
    if (o->rate || o->progress)
        gen_expect_metric(g, facts, "latency_stddev", f->stddev / 1e3);
    if (o->rate)
        gen_expect_metric(g, facts, "lag_max", f->lag_max / 1e3);
    if (o->limit)
        gen_expect_metric(g, facts, "above_latency_limit", f->above);
    if (o->version < 14)
        gen_expect_metric(g, facts, "tps_including_connections", f->tps_including);
    else
        gen_expect_metric(g, facts, o->connect ? "connection_time_avg" : "initial_connection_time",
                          f->connecting / 1e3);
    for (unsigned n = 1; o->scripts > 1 && n <= o->scripts; n++) {
        g_autofree char *script =
            g_strdup_printf("script:%u:%s/", n, n == 1 ? "select only" : "/bench/own.sql");
        g_autofree char *tps = g_strconcat(script, "tps", NULL);
        g_autofree char *latency = g_strconcat(script, "latency_avg", NULL);
        expect_counts(g, facts, o, f, script);
        gen_expect_metric(g, facts, tps, rounded(f->tps / n, 6));
        gen_expect_metric(g, facts, latency, rounded(f->latency * n, 3) / 1e3);
    }
    unsigned parts = o->scripts > 1 ? o->scripts : 1;
    gen_expect_count(g, facts, "statement:2:UPDATE t SET x = 1 WHERE id = 5;\",\"value\":0.012375",
                     o->commands ? parts : 0);
    gen_expect_count(g, facts, "\"type\":\"skipped\"", 0);
}

static void expect_progress(struct gen *g, const char *facts, const struct options *o,
                            const struct interval *i)
{
    gen_expect_series(g, facts, "tps", i->t, i->tps);
    gen_expect_series(g, facts, "latency_avg", i->t, i->latency / 1e3);
    gen_expect_series(g, facts, "latency_stddev", i->t, i->stddev / 1e3);
    if (o->version >= 15)
        gen_expect_series(g, facts, "failed", i->t, i->failed);
    if (o->rate)
        gen_expect_series(g, facts, "lag_avg", i->t, i->lag / 1e3);
    if (o->rate && o->limit)
        gen_expect_series(g, facts, "skipped", i->t, i->skipped);
    if (o->retries)
        gen_expect_series(g, facts, "retries", i->t, i->retries);
}

// Standard output with standard error before it, behind it, or without it.
static void summary(struct gen *g)
{
    struct options o;
    struct figures f;
    struct interval intervals[3];
    options_of(g, &o);
    figures_of(g, &o, &f);
    bool behind = gen_maybe(g);
    if (gen_maybe(g))
        line(g, &o, "starting vacuum...end.");
    if (behind)
        add_summary(g, &o, &f);
    for (unsigned i = 0; o.progress && i < G_N_ELEMENTS(intervals); i++)
        add_progress(g, &o, &intervals[i], i);
    if (!behind)
        add_summary(g, &o, &f);
    g_autofree char *facts = gen_facts(g, DRESS_PLAIN, NULL);
    expect_summary(g, facts, &o, &f);
    for (unsigned i = 0; o.progress && i < G_N_ELEMENTS(intervals); i++)
        expect_progress(g, facts, &o, &intervals[i]);
    gen_expect_count(g, facts, "\"type\":\"run\"", 1);
    gen_expect_dressed(g, facts);
}

// Several runs in one file; those that say so were aborted, and only those.
static void several(struct gen *g)
{
    bool aborted[4];
    struct figures f[4];
    struct options o;
    bool terminal = gen_maybe(g); // else standard output is buffered
    for (size_t i = 0; i < G_N_ELEMENTS(aborted); i++) {
        aborted[i] = gen_maybe(g);
        options_of(g, &o);
        figures_of(g, &o, &f[i]);
        line(g, &o, "starting vacuum...end.");
        if (aborted[i])
            line(g, &o,
                 "pgbench: error: client %zu script 0 aborted in command 1 query 0: ERROR:  x", i);
        if (terminal)
            add_summary(g, &o, &f[i]);
        if (aborted[i])
            line(g, &o, "pgbench: error: Run was aborted; the above results are incomplete.");
        if (!terminal)
            add_summary(g, &o, &f[i]);
    }
    g_autofree char *facts = gen_facts(g, DRESS_PLAIN, NULL);
    g_auto(GStrv) lines = g_strsplit(facts, "\n", -1);
    size_t run = 0;
    for (char **at = lines; *at; at++) {
        if (!g_str_has_prefix(*at, "{\"type\":\"run\""))
            continue;
        g_autofree char *why =
            g_strdup_printf("\"aborted\",\"why\":\"run was aborted: client %zu script", run);
        gen_expect(g, *at, aborted[run] ? why : "\"status\":\"complete\"");
        run++;
    }
    g_assert_cmpuint(run, ==, G_N_ELEMENTS(aborted));
}

// A summary that is cut off is never a complete run, and gives no figure that was not printed.
static void cut(struct gen *g)
{
    struct options o;
    struct figures f;
    options_of(g, &o);
    figures_of(g, &o, &f);
    o.scripts = 1;
    o.commands = false;
    add_summary(g, &o, &f);
    g_autofree char *whole = gen_facts(g, DRESS_PLAIN, NULL);
    const char *tps = g_strrstr(g->text->str, "tps = ");
    g_string_truncate(g->text, gen_below(g, (unsigned)(strchr(tps, '(') - g->text->str)));
    g_autofree char *refused = NULL, *facts = gen_facts(g, DRESS_PLAIN, &refused);
    if (!facts)
        return;
    gen_expect_not(g, facts, "\"status\":\"complete\"");
    g_auto(GStrv) lines = g_strsplit(facts, "\n", -1);
    for (char **at = lines; *at; at++)
        if (g_str_has_prefix(*at, "{\"type\":\"metric\"") && !strstr(*at, "\"value\":null"))
            gen_expect(g, whole, *at);
}

// No transaction ran: the text ends behind the counts, and no figure becomes 0.
static void none(struct gen *g)
{
    struct options o;
    struct figures f = {0};
    options_of(g, &o);
    add_head(g, &o);
    line(g, &o, "duration: 3 s\n%snumber of transactions actually processed: 0", o.prefix);
    add_counts(g, &o, &f, "");
    g_autofree char *facts = gen_facts(g, DRESS_PLAIN, NULL);
    gen_expect(g, facts, "\"status\":\"aborted\",\"why\":\"no transaction was processed\"");
    gen_expect(g, facts, "\"name\":\"tps\",\"value\":null");
    gen_expect(g, facts, "\"name\":\"latency_avg\",\"value\":null");
}

// -l: sums over all lines, and the last line only if it is whole.
static void log_lines(struct gen *g)
{
    unsigned n = 1 + gen_below(g, 60), skipped = 0, kept = 0, seen[4] = {0};
    double sum = 0, most = 0;
    bool more = gen_maybe(g), sampled = gen_maybe(g);
    for (unsigned i = 0; i < n; i++) {
        unsigned client = gen_below(g, 4), us = 1 + gen_below(g, 100000);
        bool word = gen_below(g, 8) == 0;
        seen[client] += sampled ? 2 + gen_below(g, 50) : 1;
        g_string_append_printf(g->text, "%u %u ", client, seen[client]);
        g_string_append_printf(g->text, word ? "skipped" : "%u", us);
        g_string_append_printf(g->text, " 0 %u %06u%s\n", 1796044888 + i / 10, i,
                               more ? " 17" : "");
        skipped += word;
        kept += !word;
        sum += word ? 0 : us;
        most = word ? most : MAX(most, us);
    }
    g_autofree char *facts = gen_facts(g, DRESS_PLAIN, NULL);
    if (kept > 0) {
        gen_expect_metric(g, facts, "latency_avg", sum / kept / 1e6);
        gen_expect_metric(g, facts, "latency_max", most / 1e6);
    }
    if (skipped > 0)
        gen_expect_metric(g, facts, "skipped", skipped);
    if (sampled)
        gen_expect(g, facts, "\"name\":\"transactions\",\"value\":null");
    else
        gen_expect_metric(g, facts, "transactions", kept);
    gen_expect_count(g, facts, "\"type\":\"skipped\"", 0);
    gen_expect_dressed(g, facts);
}

// --aggregate-interval: 6, 10, 11, 15 or 16 fields.
static void log_intervals(struct gen *g)
{
    static const unsigned widths[] = {6, 10, 11, 15, 16};
    unsigned fields = gen_pick(g, widths), n = 2 + gen_below(g, 20), failed = 0, retried = 0;
    double count = 0, sum = 0, most = 0, counted = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned each = gen_below(g, 5) == 0 ? 0 : 1 + gen_below(g, 1000);
        unsigned max = each ? 1000 + gen_below(g, 100000) : 0;
        counted = count;
        count += each;
        sum += each * 900.0;
        most = MAX(most, max);
        g_string_append_printf(g->text, "%u %u %u %u %u %u", 1796044888 + 2 * i, each, each * 900,
                               each * 820000, each ? 700 : 0, max);
        for (unsigned k = 6; k < fields; k++) {
            unsigned value = k < 10 ? 0 : gen_below(g, 9);
            failed += k >= 13 ? value : 0;
            retried += k == 11 ? value : 0;
            g_string_append_printf(g->text, " %u", value);
        }
        g_string_append_c(g->text, '\n');
    }
    g_autofree char *facts = gen_facts(g, DRESS_PLAIN, NULL);
    gen_expect_metric(g, facts, "transactions", count);
    gen_expect_metric(g, facts, "thread_tps", counted / (2 * (n - 1)));
    if (count > 0) {
        gen_expect_metric(g, facts, "latency_avg", sum / count / 1e6);
        gen_expect_metric(g, facts, "latency_max", most / 1e6);
    }
    if (fields >= 15) {
        gen_expect_metric(g, facts, "failed", failed);
        gen_expect_metric(g, facts, "retried", retried);
    }
    gen_expect_count(g, facts, "\"name\":\"skipped\"", fields >= 11);
    gen_expect_dressed(g, facts);
}

static void add(void)
{
    property_add("/ingest/pgbench/any-summary", summary);
    property_add("/ingest/pgbench/several-runs", several);
    property_add("/ingest/pgbench/any-cut", cut);
    property_add("/ingest/pgbench/no-transaction", none);
    property_add("/ingest/pgbench/log", log_lines);
    property_add("/ingest/pgbench/log-intervals", log_intervals);
}

int main(int argc, char **argv)
{
    return property_main(argc, argv, add);
}
