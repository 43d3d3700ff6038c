// cyclictest: its summary lines, its histogram, and --json (some of whose keys are misspelt).
#include "formats.h"
#include "json_doc.h"
#include "lines.h"

struct thread {
    bool there;
    double cycles, min, avg, max;
};

struct parser {
    struct ingest *in;
    GArray *lines; // of struct thread: each one's last, since without -q they are printed again
    struct run_builder *run;
    GArray *counts; // of the histogram, all threads: of uint64_t, by microsecond
    unsigned threads;
    double min, max, sum, cycles;
    double average, overflows; // as the histogram's comments say; average is a mean of threads
};

static void add_thread(struct parser *p, double cycles, double min, double avg, double max)
{
    if (isfinite(min))
        p->min = p->threads == 0 ? min : MIN(p->min, min);
    if (isfinite(max))
        p->max = MAX(p->max, max);
    if (isfinite(avg) && isfinite(cycles)) {
        p->sum += avg * cycles;
        p->cycles += cycles;
    }
    p->threads++;
}

static void add_count(struct parser *p, uint64_t us, uint64_t n)
{
    if (us > 10000000 || n == 0)
        return;
    if (us >= p->counts->len)
        g_array_set_size(p->counts, (guint)us + 1);
    g_array_index(p->counts, uint64_t, us) += n;
}

// "T: 0 (29070) P: 0 I:1000 C:    500 Min:     47 Act:  123 Avg:  216 Max:   26207"
static bool thread_line(struct parser *p, struct slice line)
{
    double cycles, min, avg, max;
    double index;
    if (!slice_starts(line, "T:") || !line_number(line_after(line, "T:"), &index, NULL) ||
        index < 0 || index > 65535 || !line_number(line_after(line, "C:"), &cycles, NULL) ||
        !line_number(line_after(line, "Min:"), &min, NULL) ||
        !line_number(line_after(line, "Avg:"), &avg, NULL) ||
        !line_number(line_after(line, "Max:"), &max, NULL))
        return false;
    if (index >= p->lines->len)
        g_array_set_size(p->lines, (guint)index + 1);
    g_array_index(p->lines, struct thread, (guint)index) =
        (struct thread){true, cycles, min, avg, max};
    return true;
}

// "000047 000003	000001": microseconds, and a count for each thread
static bool histogram_line(struct parser *p, struct slice line)
{
    struct slice s = line, word = line_word(&s);
    uint64_t us, n;
    bool any = false;
    if (word.len < 6 || !slice_to_u64(word, &us))
        return false;
    for (word = line_word(&s); word.len > 0; word = line_word(&s)) {
        if (!slice_to_u64(word, &n))
            return false;
        add_count(p, us, n);
        any = true;
    }
    return any;
}

// The numbers of a comment, a value a thread: their smallest, largest, sum and how many.
static unsigned take_values(struct slice s, double *least, double *most, double *sum)
{
    unsigned n = 0;
    double value;
    *least = *most = NAN;
    *sum = 0;
    for (struct slice word = line_word(&s); word.len > 0; word = line_word(&s), n++) {
        if (!slice_to_double(word, &value))
            break;
        *least = n == 0 ? value : MIN(*least, value);
        *most = n == 0 ? value : MAX(*most, value);
        *sum += value;
    }
    return n;
}

// "# Max Latencies: 00123 00456" and the like
static bool comment_line(struct parser *p, struct slice line)
{
    double least, most, sum;
    struct slice s;
    if (line.len == 0 || line.data[0] != '#')
        return false;
    if ((s = line_after(line, "# Histogram Overflows:")).data &&
        take_values(s, &least, &most, &sum) > 0)
        p->overflows = sum;
    else if ((s = line_after(line, "# Min Latencies:")).data &&
             (p->threads = take_values(s, &least, &most, &sum)) > 0)
        p->min = least;
    else if ((s = line_after(line, "# Max Latencies:")).data &&
             take_values(s, &least, &most, &sum) > 0)
        p->max = most;
    else if ((s = line_after(line, "# Avg Latencies:")).data) {
        unsigned n = take_values(s, &least, &most, &sum);
        p->average = n > 0 ? sum / n : NAN;
    }
    return true;
}

// Without -q the cursor moves up before the lines are printed again.
static struct slice without_escape(struct slice line)
{
    if (line.len < 2 || line.data[0] != '\x1b' || line.data[1] != '[')
        return line;
    size_t n = 2;
    while (n < line.len && !g_ascii_isalpha(line.data[n]))
        n++;
    n = MIN(n + 1, line.len);
    return (struct slice){line.data + n, line.len - n};
}

static bool any_line(void *parser, struct slice line, GError **error)
{
    struct parser *p = parser;
    if (p->in->reader->cut) {
        p->in->summary.truncated = true;
        return ingest_skip(p->in, p->in->reader->line, "cut off", line, error);
    }
    line = without_escape(line);
    if (slice_trim(line).len == 0 || thread_line(p, line) || comment_line(p, line) ||
        histogram_line(p, line) || line_has(line, "policy:"))
        return true;
    return ingest_skip(p->in, p->in->reader->line, "no line of cyclictest", line, error);
}

static void give_percentiles(struct parser *p)
{
    static const struct {
        const char *name;
        double rank;
    } ranks[] = {{"latency_p50", .5}, {"latency_p99", .99}, {"latency_p999", .999}};
    uint64_t seen = 0;
    double total = p->overflows;
    for (guint us = 0; us < p->counts->len; us++)
        total += (double)g_array_index(p->counts, uint64_t, us);
    if (total == 0)
        return;
    size_t next = 0;
    for (guint us = 0; us < p->counts->len && next < G_N_ELEMENTS(ranks); us++) {
        seen += g_array_index(p->counts, uint64_t, us);
        while (next < G_N_ELEMENTS(ranks) && (double)seen >= ranks[next].rank * total)
            run_metric(p->run, ranks[next++].name, us, "us");
    }
    for (; next < G_N_ELEMENTS(ranks); next++)
        run_missing(p->run, ranks[next].name, "beyond the end of the histogram");
    p->cycles = MAX(p->cycles, total);
}

static bool give(struct parser *p, GError **error)
{
    for (guint i = 0; i < p->lines->len; i++) {
        const struct thread *t = &g_array_index(p->lines, struct thread, i);
        if (t->there)
            add_thread(p, t->cycles, t->min, t->avg, t->max);
    }
    if (p->threads == 0 && p->counts->len == 0)
        return ingest_damaged(p->in, 0, error, "cyclictest wrote no latency into it");
    g_autofree char *threads = g_strdup_printf("%u", p->threads);
    if (p->threads > 0)
        run_set(p->run, "threads", slice_from(threads));
    give_percentiles(p);
    if (p->threads > 0) {
        run_metric(p->run, "latency_min", p->min, "us");
        run_metric(p->run, "latency_max", p->max, "us");
    }
    double average = p->sum > 0 ? p->sum / p->cycles : p->average;
    if (isfinite(average))
        run_metric(p->run, "latency_avg", average, "us");
    if (p->cycles > 0)
        run_metric(p->run, "cycles", p->cycles, NULL);
    return run_deliver(p->run, p->in, error);
}

static void parser_init(struct parser *p, struct ingest *in)
{
    *p = (struct parser){.in = in,
                         .run = run_builder_new("cyclictest"),
                         .average = NAN,
                         .lines = g_array_new(FALSE, TRUE, sizeof(struct thread)),
                         .counts = g_array_new(FALSE, TRUE, sizeof(uint64_t))};
}

static void parser_clear(struct parser *p)
{
    run_builder_free(p->run);
    g_array_unref(p->lines);
    g_array_unref(p->counts);
}

static bool parse_text(struct ingest *in, GError **error)
{
    struct parser p;
    parser_init(&p, in);
    bool ok = lines_each(in, any_line, &p, error) && give(&p, error);
    parser_clear(&p);
    return ok;
}

static void json_thread(struct parser *p, json_t *thread)
{
    json_t *histogram = json_object_get(thread, "histogram"), *count;
    const char *us;
    uint64_t value;
    add_thread(p, json_number(thread, "cycles"), json_number(thread, "min"),
               json_number(thread, "avg"), json_number(thread, "max"));
    json_object_foreach(histogram, us, count) if (slice_to_u64(slice_from(us), &value) &&
                                                  json_is_integer(count) &&
                                                  json_integer_value(count) > 0)
        add_count(p, value, (uint64_t)json_integer_value(count));
}

static bool parse_json(struct ingest *in, GError **error)
{
    struct parser p;
    json_t *doc = json_doc_read(in, error), *thread;
    const char *key;
    if (!doc)
        return false;
    parser_init(&p, in);
    json_t *host = json_object_get(doc, "sysinfo");
    json_setting(p.run, host, "nodename", "host");
    json_setting(p.run, host, "release", "kernel");
    json_setting(p.run, host, "machine", "arch");
    json_setting(p.run, host, "version", "uname_v");
    json_setting(p.run, doc, "cmdline:", "command");
    json_setting(p.run, doc, "cmdline", "command");
    json_object_foreach(json_object_get(doc, "thread"), key, thread) json_thread(&p, thread);
    if (json_number(doc, "return_code") > 0)
        run_fail(p.run, "cyclictest ended with an error");
    bool ok = give(&p, error);
    parser_clear(&p);
    json_decref(doc);
    return ok;
}

static int detect_text(struct slice head)
{
    return line_has(head, " Min:") && line_has(head, " Act:") && line_has(head, " Avg:") ? 90
           : line_has(head, "# Histogram\n")                                             ? 85
                                                                                         : 0;
}

static int detect_json(struct slice head)
{
    return line_has(head, "\"rt_test_version") && line_has(head, "cyclictest") ? 95 : 0;
}

const struct ingest_format format_cyclictest = {
    .name = "cyclictest",
    .summary = "cyclictest's summary lines and histogram",
    .detect = detect_text,
    .parse = parse_text,
};
const struct ingest_format format_cyclictest_json = {
    .name = "cyclictest-json",
    .summary = "cyclictest --json",
    .detect = detect_json,
    .parse = parse_json,
};
