// pgbench -l: a line a transaction, or with --aggregate-interval a line an interval.
//
//   client transaction time_us|word script epoch_s epoch_us [lag_us] [retries]          6 to 8
//   fields start count sum sum2 min max [lag: sum sum2 min max [skipped …]]        6, 10, 11, 15,
//   16 fields
//
// A line a transaction would be too much to keep: what is delivered is their distribution, and a
// second by second series. With 7 fields the last is a lag or a number of retries; only the command
// line tells, so it is left out.
#include "formats.h"
#include "lines.h"
#include "metrics.h"
#include "run_builder.h"

struct parser {
    struct ingest *in;
    struct run_builder *run;
    GArray *latencies; // us, of uint32_t
    GHashTable *words; // "failed" and so on, with counts
    GHashTable *last;  // of a client, the number of its last transaction
    bool gaps;         // between those numbers: the log is a sample
    bool backward;     // intervals of several threads, one after another
    bool aggregate;
    int64_t first_us, last_us, second;
    uint64_t second_count;
    double second_sum;
    // of the intervals
    double count, sum, sum2, max, counted, first, previous, failed, skipped, retried;
    size_t fields; // of the last interval
    unsigned rows;
};

static size_t split(struct slice line, struct slice fields[17])
{
    size_t n = 0;
    struct slice rest = line;
    while (n < 17) {
        struct slice word = line_word(&rest);
        if (word.len == 0)
            break;
        fields[n++] = word;
    }
    return n;
}

static bool is_word(struct slice s)
{
    static const char *const words[] = {"skipped", "failed", "serialization", "deadlock", "other"};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        if (slice_is(s, words[i]))
            return true;
    return false;
}

static bool is_transaction(const struct slice *f, size_t n)
{
    uint64_t v;
    if (n < 6 || n > 8 || !(slice_to_u64(f[2], &v) || is_word(f[2])))
        return false;
    for (size_t i = 0; i < n; i++)
        if (i != 2 && !slice_to_u64(f[i], &v))
            return false;
    return slice_to_u64(f[4], &v) && v > 1000000000 && slice_to_u64(f[5], &v) && v < 1000000;
}

static bool is_interval(const struct slice *f, size_t n)
{
    double v;
    if (n != 6 && n != 10 && n != 11 && n != 15 && n != 16)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!slice_to_double(f[i], &v))
            return false;
    return slice_to_double(f[0], &v) && v > 1e9;
}

static void end_second(struct parser *p)
{
    if (p->second_count == 0)
        return;
    run_series(p->run, "thread_tps", (double)p->second, (double)p->second_count);
    run_series(p->run, "latency_avg", (double)p->second,
               p->second_sum / (double)p->second_count / 1e6);
    p->second_count = 0;
    p->second_sum = 0;
}

// A client counts its transactions; --sampling-rate leaves out most of their lines.
static void follow_client(struct parser *p, const struct slice *f)
{
    uint64_t client = 0, number = 0;
    gpointer last;
    slice_to_u64(f[0], &client);
    slice_to_u64(f[1], &number);
    gpointer key = GSIZE_TO_POINTER(client + 1);
    bool seen = g_hash_table_lookup_extended(p->last, key, NULL, &last);
    p->gaps |= number > (seen ? GPOINTER_TO_SIZE(last) + 1 : 1);
    g_hash_table_insert(p->last, key, GSIZE_TO_POINTER(number));
}

static void transaction(struct parser *p, const struct slice *f)
{
    uint64_t latency, seconds, micros;
    follow_client(p, f);
    slice_to_u64(f[4], &seconds);
    slice_to_u64(f[5], &micros);
    if (is_word(f[2])) {
        g_autofree char *word = slice_dup(f[2]);
        guint count = GPOINTER_TO_UINT(g_hash_table_lookup(p->words, word));
        g_hash_table_insert(p->words, g_steal_pointer(&word), GUINT_TO_POINTER(count + 1));
        return;
    }
    slice_to_u64(f[2], &latency);
    int64_t end = (int64_t)MIN(seconds, 9000000000u) * 1000000 + (int64_t)micros;
    guint32 kept = (guint32)MIN(latency, G_MAXUINT32);
    g_array_append_val(p->latencies, kept);
    if (p->first_us == 0 || end - (int64_t)latency < p->first_us)
        p->first_us = end - (int64_t)latency;
    p->last_us = MAX(p->last_us, end);
    if ((int64_t)seconds != p->second) {
        end_second(p);
        p->second = (int64_t)seconds;
    }
    p->second_count++;
    p->second_sum += (double)latency;
}

static void interval(struct parser *p, const struct slice *f, size_t n)
{
    double v[16];
    for (size_t i = 0; i < n; i++)
        slice_to_double(f[i], &v[i]);
    if (p->rows == 0)
        p->first = v[0];
    else
        p->counted = p->count; // the last interval may be a part of one
    p->backward |= p->rows > 0 && v[0] <= p->previous;
    p->previous = v[0];
    p->count += v[1];
    p->sum += v[2];
    p->sum2 += v[3];
    p->max = MAX(p->max, v[5]);
    if (v[1] > 0) {
        double mean = v[2] / v[1];
        run_series(p->run, "transactions", v[0], v[1]);
        run_series(p->run, "latency_avg", v[0], mean / 1e6);
        run_series(p->run, "latency_stddev", v[0], sqrt(MAX(0, v[3] / v[1] - mean * mean)) / 1e6);
        run_series(p->run, "latency_max", v[0], v[5] / 1e6);
    }
    p->fields = n;
    if (n >= 11)
        p->skipped += v[10];
    if (n >= 15) {
        p->retried += v[11];
        p->failed += v[13] + v[14] + (n == 16 ? v[15] : 0);
    }
}

static bool any_line(void *parser, struct slice line, GError **error)
{
    struct parser *p = parser;
    struct slice f[17];
    size_t n = split(line, f);
    if (n == 0)
        return true;
    bool is_row = is_interval(f, n), is_one = !is_row && is_transaction(f, n);
    if ((!is_row && !is_one) || (p->rows > 0 && is_row != p->aggregate))
        return ingest_skip(p->in, p->in->reader->line, "no line of pgbench -l", line, error);
    if (p->in->reader->cut) {
        p->in->summary.truncated = true;
        return ingest_skip(p->in, p->in->reader->line, "cut off", line, error);
    }
    p->aggregate = is_row;
    if (is_row)
        interval(p, f, n);
    else
        transaction(p, f);
    p->rows++;
    return true;
}

static int by_value(const void *a, const void *b)
{
    guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;
    return (x > y) - (x < y);
}

static void drop_rates(struct run_builder *run)
{
    for (guint i = run->series->len; i-- > 0;)
        if (strcmp(g_array_index(run->series, struct series_fact, i).name, "thread_tps") == 0)
            g_array_remove_index(run->series, i);
}

static void give_distribution(struct parser *p)
{
    static const char sampled[] = "lines of transactions are missing between others: the log is a "
                                  "sample (--sampling-rate)";
    static const struct {
        const char *name;
        double rank;
    } ranks[] = {{"latency_p50", .50},
                 {"latency_p90", .90},
                 {"latency_p95", .95},
                 {"latency_p99", .99},
                 {"latency_max", 1}};
    guint n = p->latencies->len;
    guint32 *us = (guint32 *)p->latencies->data;
    double sum = 0, squares = 0, span = (double)(p->last_us - p->first_us) / 1e6;
    end_second(p);
    if (p->gaps)
        drop_rates(p->run);
    if (p->gaps)
        run_missing(p->run, "transactions", sampled);
    else
        run_metric(p->run, "transactions", n, NULL);
    if (n == 0)
        return;
    qsort(us, n, sizeof *us, by_value);
    for (guint i = 0; i < n; i++)
        sum += us[i];
    double mean = sum / n;
    for (guint i = 0; i < n; i++)
        squares += (us[i] - mean) * (us[i] - mean);
    if (p->gaps)
        run_missing(p->run, "thread_tps", sampled);
    else if (span > 0)
        run_metric(p->run, "thread_tps", n / span, "1/s")->provenance = PROVENANCE_DERIVED;
    run_metric(p->run, "latency_avg", mean, "us");
    run_metric(p->run, "latency_stddev", sqrt(squares / n), "us");
    for (size_t i = 0; i < G_N_ELEMENTS(ranks); i++) {
        guint at = (guint)ceil(ranks[i].rank * n);
        run_metric(p->run, ranks[i].name, us[at > 0 ? at - 1 : 0], "us");
    }
}

static void give_words(struct parser *p)
{
    GHashTableIter iter;
    gpointer word, count;
    g_hash_table_iter_init(&iter, p->words);
    while (g_hash_table_iter_next(&iter, &word, &count)) {
        bool plain = strcmp(word, "failed") == 0 || strcmp(word, "skipped") == 0;
        g_autofree char *name = g_strdup_printf(plain ? "%s" : "%s_failures", (char *)word);
        run_metric(p->run, name, GPOINTER_TO_UINT(count), NULL);
    }
}

static void give_intervals(struct parser *p)
{
    double span = p->previous - p->first, mean = p->sum / p->count;
    run_metric(p->run, "transactions", p->count, NULL);
    if (p->backward)
        run_missing(p->run, "thread_tps", "intervals of several threads are in this file");
    else if (p->rows > 1 && span > 0)
        run_metric(p->run, "thread_tps", p->counted / span, "1/s")->provenance = PROVENANCE_DERIVED;
    if (p->count > 0) {
        run_metric(p->run, "latency_avg", mean, "us");
        run_metric(p->run, "latency_stddev", sqrt(MAX(0, p->sum2 / p->count - mean * mean)), "us");
        run_metric(p->run, "latency_max", p->max, "us");
    }
    if (p->fields >= 11)
        run_metric(p->run, "skipped", p->skipped, NULL);
    if (p->fields >= 15) {
        run_metric(p->run, "retried", p->retried, NULL);
        run_metric(p->run, "failed", p->failed, NULL);
    }
}

static bool parse(struct ingest *in, GError **error)
{
    struct parser p = {.in = in,
                       .run = run_builder_new("pgbench"),
                       .latencies = g_array_new(FALSE, FALSE, sizeof(guint32)),
                       .words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                       .last = g_hash_table_new(NULL, NULL)};
    bool ok = lines_each(in, any_line, &p, error);
    if (ok && p.rows == 0)
        ok = ingest_damaged(in, 0, error, "no line of pgbench -l in it");
    if (ok) {
        if (p.aggregate) {
            give_intervals(&p);
        } else {
            give_distribution(&p);
            give_words(&p);
        }
        p.run->why = "from a log of one thread; others of the same run are in other files";
        ok = run_deliver(p.run, in, error);
    }
    run_builder_free(p.run);
    g_array_unref(p.latencies);
    g_hash_table_unref(p.words);
    g_hash_table_unref(p.last);
    return ok;
}

static int detect(struct slice head)
{
    struct slice rest = head, line, f[17];
    unsigned good = 0, bad = 0;
    while (head_line(&rest, &line) && rest.len > 0) {
        size_t n = split(line, f);
        bool is = is_interval(f, n) || is_transaction(f, n);
        good += is;
        bad += !is && n > 0;
    }
    if (good + bad == 0) {
        rest = head; // a single line
        head_line(&rest, &line);
        size_t n = split(line, f);
        good = is_interval(f, n) || is_transaction(f, n);
    }
    return good > 0 && bad * 20 <= good ? 75 : 0;
}

const struct ingest_format format_pgbench_log = {
    .name = "pgbench-log",
    .summary = "pgbench -l: a line a transaction, or an interval",
    .detect = detect,
    .parse = parse,
};
