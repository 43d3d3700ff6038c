// Tables of results and sysbench's reports: what was composed comes out, however it was written.
#include "property.h"

#include <math.h>

#define ROWS 6

struct dialect {
    char delimiter, decimal;
    const char *thousands; // between groups of three digits; "" none
    bool quoted, hint, unit_in_title, comments;
};

static void dialect_of(struct gen *g, struct dialect *d)
{
    static const char delimiters[] = {',', ';', '\t', '|'};
    static const char *const spacers[] = {"", " ", "'", "\u00A0", "\u202F", "\u2019"};
    *d = (struct dialect){.delimiter = gen_pick(g, delimiters),
                          .decimal = gen_maybe(g) ? '.' : ',',
                          .thousands = gen_pick(g, spacers),
                          .quoted = gen_maybe(g),
                          .hint = gen_maybe(g),
                          .unit_in_title = gen_maybe(g),
                          .comments = gen_maybe(g)};
    if (gen_maybe(g)) // the other sign
        d->thousands = d->decimal == '.' ? "," : ".";
    d->quoted |= d->delimiter == ','; // where a comma may be in a number
}

// 1234567.25 as the dialect writes it.
static char *written(const struct dialect *d, double value, int decimals)
{
    g_autofree char *plain = g_strdup_printf("%.*f", decimals, value);
    const char *point = strchr(plain, '.');
    size_t whole = point ? (size_t)(point - plain) : strlen(plain);
    GString *s = g_string_new(NULL);
    for (size_t i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % 3 == 0)
            g_string_append(s, d->thousands);
        g_string_append_c(s, plain[i]);
    }
    if (point)
        g_string_append_printf(s, "%c%s", d->decimal, point + 1);
    return g_string_free(s, FALSE);
}

static void add_field(struct gen *g, const struct dialect *d, const char *text, bool last)
{
    const char *quote = d->quoted ? "\"" : "";
    g_string_append_printf(g->text, "%s%s%s%c", quote, text, quote, last ? '\n' : d->delimiter);
}

struct row {
    const char *page, *preempt, *missing; // "" when there is a figure
    unsigned clients;
    double tps, latency;
};

// A row a run: settings, and two figures of which one may be missing.
static void wide(struct gen *g)
{
    static const char *const pages[] = {"4K", "2M", "1G", "THP"};
    static const char *const modes[] = {"none", "voluntary", "full", "lazy"};
    static const char *const gone[] = {"", "-", "n/a", "NaN", "crashed", "28.04.2026"};
    struct dialect d;
    struct row rows[ROWS];
    dialect_of(g, &d);
    if (d.hint)
        g_string_append_printf(g->text, "sep=%c\n", d.delimiter);
    if (d.comments)
        g_string_append(g->text, "# results of the week\n");
    add_field(g, &d, "page", false);
    add_field(g, &d, "preempt", false);
    add_field(g, &d, "clients", false);
    add_field(g, &d, d.unit_in_title ? "TPS [1/s]" : "tps", false);
    add_field(g, &d, d.unit_in_title ? "Latency (ms)" : "Latency [us]", true);
    for (size_t i = 0; i < ROWS; i++) {
        struct row *r = &rows[i];
        *r = (struct row){.page = gen_pick(g, pages),
                          .preempt = gen_pick(g, modes),
                          .missing = i > 0 && gen_below(g, 4) == 0 ? gen_pick(g, gone) : NULL,
                          .clients = 1 + gen_below(g, 2000),
                          .tps = rint(gen_between(g, 1, 3e6) * 100) / 100,
                          .latency = rint(gen_between(g, 1, 5000) * 100) / 100};
        if (i == 0) // nothing of the file is open: one number has its sign for certain
            r->tps = 1234567.25;
        g_autofree char *tps = written(&d, r->tps, 2);
        g_autofree char *latency = written(&d, r->latency, 2);
        g_autofree char *clients = written(&d, r->clients, 0);
        add_field(g, &d, r->page, false);
        add_field(g, &d, r->preempt, false);
        add_field(g, &d, clients, false);
        add_field(g, &d, r->missing ? r->missing : tps, false);
        add_field(g, &d, latency, true);
    }
    g_autofree char *facts = gen_facts(g, DRESS_PLAIN, NULL);
    g_auto(GStrv) runs = g_strsplit(facts, "{\"type\":\"run\"", -1);
    gen_expect_count(g, facts, "\"type\":\"run\"", ROWS);
    gen_expect_count(g, facts, "\"type\":\"skipped\"", 0);
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *r = &rows[i];
        g_autofree char *settings =
            g_strdup_printf("\"page\":\"%s\",\"preempt\":\"%s\",\"clients\":%u}", r->page,
                            r->preempt, r->clients);
        gen_expect(g, runs[i + 1], settings);
        gen_expect_metric(g, runs[i + 1], "latency_avg",
                          r->latency / (d.unit_in_title ? 1e3 : 1e6));
        if (r->missing)
            gen_expect(g, runs[i + 1], "\"name\":\"tps\",\"value\":null");
        else
            gen_expect_metric(g, runs[i + 1], "tps", r->tps);
    }
    gen_expect_dressed(g, facts);
}

// Only numbers of the kind of 1.234: decided by the delimiter or refused, never guessed.
static void open(struct gen *g)
{
    struct dialect d;
    dialect_of(g, &d);
    d.quoted = true;
    char sign = gen_maybe(g) ? '.' : ',';
    add_field(g, &d, "page", false);
    add_field(g, &d, "tps", true);
    for (unsigned i = 0; i < 4; i++) {
        g_autofree char *number =
            g_strdup_printf("%u%c%03u", 1 + gen_below(g, 99), sign, gen_below(g, 1000));
        add_field(g, &d, i % 2 ? "4K" : "2M", false);
        add_field(g, &d, number, true);
    }
    g_autofree char *refused = NULL, *facts = gen_facts(g, DRESS_PLAIN, &refused);
    if (d.delimiter == ',')
        g_assert_nonnull(facts); // there the decimal sign is a dot
    else
        g_assert_nonnull(refused ? strstr(refused, "--set decimal=") : NULL);
}

static const struct {
    const char *line, *name;
    double factor;
} parts[] = {{"    transactions:                        %s (17.5 per sec.)", "transactions", 1},
             {"    total time:                          %ss", "elapsed", 1},
             {"    total number of events:              %s", "events", 1},
             {"         min:                                    %s", "latency_min", 1e-3},
             {"         avg:                                    %s", "latency_avg", 1e-3},
             {"         max:                                    %s", "latency_max", 1e-3},
             {"         99th percentile:                        %s", "latency_p99", 1e-3}};

// Reports one behind another, with intervals.
static void sysbench(struct gen *g)
{
    unsigned n = 1 + gen_below(g, 3);
    double values[3][G_N_ELEMENTS(parts)], tps[3];
    for (unsigned run = 0; run < n; run++) {
        tps[run] = rint(gen_between(g, 1, 1e5) * 100) / 100;
        if (gen_maybe(g))
            g_string_append(g->text, "$ sysbench oltp_read_write --time=3 run\n");
        g_string_append_printf(g->text,
                               "sysbench 1.%u.20 (using system LuaJIT 2.1.0)\n\n"
                               "Running the test with following options:\n"
                               "Number of threads: %u\n\n"
                               "[ 1s ] thds: 2 tps: %.2f qps: 9.00 (r/w/o: 1/2/3) lat (ms,99%%): "
                               "1.25 err/s: 0.00 reconn/s: 0.00\n",
                               run % 2, run + 1, tps[run]);
        g_string_append(g->text, "SQL statistics:\n    queries performed:\n");
        for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
            values[run][i] = i == 0 || i == 2 ? gen_below(g, 1000000)
                                              : rint(gen_between(g, 0.01, 900) * 100) / 100;
            g_autofree char *text =
                g_strdup_printf(i == 0 || i == 2 ? "%.0f" : "%.2f", values[run][i]);
            g_auto(GStrv) halves = g_strsplit(parts[i].line, "%s", 2);
            if (i == 3)
                g_string_append(g->text, "\nLatency (ms):\n");
            g_string_append_printf(g->text, "%s%s%s\n", halves[0], text, halves[1]);
        }
        g_string_append(g->text, "\nThreads fairness:\n"
                                 "    events (avg/stddev):           10263.0000/81.00\n"
                                 "    execution time (avg/stddev):   2.9973/0.00\n\n");
    }
    g_autofree char *facts = gen_facts(g, DRESS_PLAIN, NULL);
    g_auto(GStrv) runs = g_strsplit(facts, "{\"type\":\"run\"", -1);
    gen_expect_count(g, facts, "\"type\":\"run\"", n);
    gen_expect_count(g, facts, "\"status\":\"complete\"", n);
    gen_expect_count(g, facts, "\"type\":\"skipped\"", 0);
    for (unsigned run = 0; run < n; run++) {
        for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
            gen_expect_metric(g, runs[run + 1], parts[i].name, values[run][i] * parts[i].factor);
        gen_expect_series(g, runs[run + 1], "tps", 1, tps[run]);
    }
    gen_expect_dressed(g, facts);
}

static void add(void)
{
    property_add("/ingest/tables/wide", wide);
    property_add("/ingest/tables/open", open);
    property_add("/ingest/tables/sysbench", sysbench);
}

int main(int argc, char **argv)
{
    return property_main(argc, argv, add);
}
