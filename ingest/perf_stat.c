// perf stat: the table for people, -x SEP, -j, each also with -I (over time) and -A (per cpu).
#include "formats.h"
#include "lines.h"
#include "metrics.h"
#include "number.h"
#include "run_builder.h"

#include <jansson.h>

struct parser {
    struct ingest *in;
    struct run_builder *run;
    GHashTable *totals; // event to double: of counters that come in pieces
    GPtrArray *order;   // its keys, as they came
    char separator;     // of -x; 0 not known yet
    char decimal;       // of the table for people
    bool interval;      // its lines begin with a time: -I
    unsigned counters;
};

// One counter of any layout.
struct counter {
    double t;          // NAN without -I
    struct slice part; // "CPU0"; null: all
    struct slice value, unit, event;
    double variance, running; // per cent; NAN
};

// The names of faults and switches are the same everywhere; the clocks are the CPU time.
static const char *standard_name(const char *event)
{
    static const struct {
        const char *event, *name;
    } names[] = {
        {"minor-faults", "minor_faults"},
        {"major-faults", "major_faults"},
        {"context-switches", "context_switches"},
        {"cs", "context_switches"},
        {"task-clock", "cpu_seconds"},
        {"page-faults", "page_faults"},
        {"faults", "page_faults"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(event, names[i].event) == 0)
            return names[i].name;
    return event;
}

static void add_total(struct parser *p, const char *name, double value)
{
    double *total = g_hash_table_lookup(p->totals, name);
    if (!total) {
        char *key = g_strdup(name);
        total = g_new0(double, 1);
        g_hash_table_insert(p->totals, key, total);
        g_ptr_array_add(p->order, key);
    }
    *total += value;
}

static void add_piece(struct parser *p, const struct counter *c, const char *name, double value,
                      const char *unit)
{
    const char *base = unit;
    double factor = 1;
    g_autofree char *part = slice_dup(c->part);
    g_autofree char *full = part ? g_strdup_printf("%s/%s", name, part) : g_strdup(name);
    if (unit)
        unit_parse(slice_from(unit), &base, &factor);
    if (isfinite(c->t))
        run_series(p->run, full, c->t, unit_apply(value, factor));
    else
        run_metric(p->run, full, value, unit);
    g_autofree char *key = g_strdup_printf("%s\x1f%s", name, unit ? unit : "");
    add_total(p, key, value);
}

static bool give_counter(struct parser *p, const struct counter *c, char decimal, GError **error)
{
    g_autofree char *event = text_printable(slice_trim(c->event));
    g_autofree char *unit = text_printable(slice_trim(c->unit));
    const char *name = standard_name(event), *source_unit = *unit ? unit : NULL;
    struct column_numbers numbers = {.decimal = decimal};
    double value;
    p->counters++;
    if (number_is_missing(c->value)) {
        if (!isfinite(c->t) && !c->part.data)
            run_missing(p->run, name, run_text(p->run, slice_trim(c->value)));
        return true;
    }
    if (!number_parse(c->value, &numbers, &value))
        return ingest_skip(p->in, p->in->reader->line, "not a count", c->value, error);
    if (isfinite(c->t) || c->part.data) {
        add_piece(p, c, name, value, source_unit);
        return true;
    }
    struct metric_fact *m = run_metric(p->run, name, value, source_unit);
    if (isfinite(c->variance)) {
        g_autofree char *why = g_strdup_printf("mean of several runs, +- %g %%", c->variance);
        m->why = run_text(p->run, slice_from(why));
    } else if (c->running < 99.5) {
        g_autofree char *why = g_strdup_printf("counted %g %% of the time, scaled", c->running);
        m->why = run_text(p->run, slice_from(why));
    }
    return true;
}

// --- -x --------------------------------------------------------------------------------------

static bool is_number(struct slice s)
{
    double value;
    return slice_to_double(slice_trim(s), &value);
}

static bool is_count(struct slice s)
{
    s = slice_trim(s);
    return is_number(s) || (s.len > 2 && s.data[0] == '<' && s.data[s.len - 1] == '>');
}

// The separator is what stands between a value, a unit (or nothing) and an event.
static char find_separator(struct slice line)
{
    static const char separators[] = {',', ';', '\t', '|', ':'};
    for (size_t i = 0; i < sizeof separators; i++) {
        struct slice rest = line;
        unsigned fields = 0;
        while (rest.len > 0 && fields < 20) {
            line_field(&rest, separators[i]);
            fields++;
        }
        if (fields >= 5)
            return separators[i];
    }
    return 0;
}

// A decimal comma and a comma between the fields: what was "0.69" is two fields.
static bool comma_locale(struct slice first, struct slice second, struct slice third)
{
    uint64_t a, b;
    return slice_to_u64(slice_trim(first), &a) && slice_to_u64(slice_trim(second), &b) &&
           !is_number(third);
}

static bool csv_line(struct parser *p, struct slice line, GError **error)
{
    struct slice rest = line, fields[16];
    size_t n = 0, i = 0;
    struct counter c = {.t = NAN, .variance = NAN, .running = NAN};
    if (!p->separator)
        p->separator = find_separator(line);
    while (n < G_N_ELEMENTS(fields) && (rest.len > 0 || n == 0))
        fields[n++] = line_field(&rest, p->separator ? p->separator : ',');
    if (p->separator == ',' && n >= 4 && comma_locale(fields[0], fields[1], fields[2]))
        return ingest_ambiguous(p->in, p->in->reader->line, error,
                                "numbers with a decimal comma, between commas; run perf stat with "
                                "LC_ALL=C, or with -x';'");
    // With -I a time comes first, with nine decimals; with -A or --per-… the part, which is no
    // number.
    if (n >= 4 && is_number(fields[0]) && is_count(fields[1]) &&
        memchr(fields[0].data, '.', fields[0].len))
        slice_to_double(slice_trim(fields[i++]), &c.t);
    else if (n >= 5 && is_number(fields[0]) && !is_count(fields[1]) && is_count(fields[2]))
        slice_to_double(slice_trim(fields[i++]), &c.t);
    if (n >= i + 4 && !is_count(fields[i])) {
        c.part = slice_trim(fields[i++]);
        if (slice_is(c.part, "summary")) // by --summary: of the whole run
            c.part = SLICE_NULL;
        else if (!is_count(fields[i]) || (n > i + 1 && is_count(fields[i + 1]))) // number of cpus
            i++;
    }
    if (n < i + 3 || !is_count(fields[i]))
        return ingest_skip(p->in, p->in->reader->line, "no counter of perf stat", line, error);
    c.value = fields[i];
    c.unit = fields[i + 1];
    c.event = fields[i + 2];
    i += 3;
    if (i < n && slice_ends(slice_trim(fields[i]), "%")) {
        struct slice v = slice_trim(fields[i++]);
        v.len--;
        slice_to_double(v, &c.variance);
    }
    if (i + 1 < n)
        slice_to_double(slice_trim(fields[i + 1]), &c.running);
    return give_counter(p, &c, '.', error);
}

// --- -j --------------------------------------------------------------------------------------

// Numbers are strings in some versions.
static struct slice json_text(json_t *object, const char *key, char buffer[40])
{
    json_t *v = json_object_get(object, key);
    if (json_is_string(v))
        return slice_from(json_string_value(v));
    if (!json_is_number(v))
        return SLICE_NULL;
    g_autofree char *text = text_double(json_number_value(v));
    g_strlcpy(buffer, text, 40);
    return slice_from(buffer);
}

static double json_double(json_t *object, const char *key)
{
    char buffer[40];
    double value;
    struct slice s = json_text(object, key, buffer);
    return s.data && slice_to_double(s, &value) ? value : NAN;
}

static bool json_line(struct parser *p, struct slice line, GError **error)
{
    static const char *const parts[] = {"cpu", "core", "die", "socket", "node", "thread", "cgroup"};
    json_error_t problem;
    json_t *object = json_loadb(line.data, line.len, 0, &problem);
    char buffer[40], part[40];
    if (!json_is_object(object)) {
        json_decref(object);
        if (line_has(line, "pcnt-running"))
            return ingest_ambiguous(
                p->in, p->in->reader->line, error,
                "no valid JSON (%s); perf stat -j writes decimal commas in some "
                "locales: run it with LC_ALL=C",
                problem.text);
        return ingest_skip(p->in, p->in->reader->line, "no valid JSON", line, error);
    }
    struct counter c = {.t = json_double(object, "interval"),
                        .value = json_text(object, "counter-value", buffer),
                        .unit = slice_from(json_string_value(json_object_get(object, "unit"))),
                        .event = slice_from(json_string_value(json_object_get(object, "event"))),
                        .variance = json_double(object, "variance"),
                        .running = json_double(object, "pcnt-running")};
    for (size_t i = 0; i < G_N_ELEMENTS(parts) && !c.part.data; i++) {
        struct slice value = json_text(object, parts[i], part);
        if (value.data)
            c.part = value;
    }
    bool ok = c.event.data && c.value.data
                  ? give_counter(p, &c, '.', error)
                  : ingest_skip(p->in, p->in->reader->line, "no counter of perf stat", line, error);
    json_decref(object);
    return ok;
}

// --- for people ------------------------------------------------------------------------------

// "S0-D0-C0", "CPU3", "N0", and of threads "name-123"
static bool is_part(struct slice word)
{
    size_t n = word.len;
    while (n > 0 && g_ascii_isdigit(word.data[n - 1]))
        n--;
    if (n == word.len || n == 0)
        return false;
    return slice_is((struct slice){word.data, n}, "CPU") || strchr("SDNC", word.data[n - 1]) ||
           word.data[n - 1] == '-';
}

static bool begins_count(struct slice s)
{
    struct slice word = line_word(&s);
    return word.len > 0 && (g_ascii_isdigit(word.data[0]) || word.data[0] == '<');
}

// The time of -I, and the part of -A and --per-…, with the number of its cpus behind it. A thread's
// name may hold blanks.
static void take_place(struct parser *p, struct slice *s, struct counter *c)
{
    struct column_numbers numbers = {.decimal = p->decimal};
    struct slice rest = *s, word = line_word(&rest), cpus;
    if (p->interval && number_parse(word, &numbers, &c->t))
        *s = rest;
    if (begins_count(*s))
        return;
    rest = *s;
    const char *from = slice_trim(*s).data;
    do
        word = line_word(&rest);
    while (word.len > 0 && !is_part(word));
    if (word.len == 0 || !begins_count(rest))
        return;
    c->part = slice_trim((struct slice){from, (size_t)(word.data + word.len - from)});
    *s = rest;
    cpus = line_word(&rest);
    if (cpus.len > 0 && g_ascii_isdigit(cpus.data[0]) && begins_count(rest))
        *s = rest;
}

// "            340.97 msec task-clock      #    1.007 CPUs utilized   ( +-  2.91% )  (83.3%)"
static bool people_line(struct parser *p, struct slice line, GError **error)
{
    struct counter c = {.t = NAN, .variance = NAN, .running = NAN};
    struct slice comment = line_after(line, "#");
    struct slice s =
        comment.data ? (struct slice){line.data, (size_t)(comment.data - line.data) - 1} : line;
    struct slice tail = comment.data ? comment : line;
    struct slice plus = line_after(tail, "+-");
    if (plus.data)
        line_number(plus, &c.variance, NULL);
    const char *paren = s.len ? memchr(s.data, '(', s.len) : NULL;
    if (paren)
        s.len = (size_t)(paren - s.data);
    take_place(p, &s, &c);
    s = slice_trim(s);
    c.value = slice_starts(s, "<not ") ? line_field(&s, '>') : line_word(&s);
    if (c.value.len > 0 && c.value.data[0] == '<')
        c.value.len++; // with its '>'
    struct slice first = line_word(&s), second = line_word(&s);
    double factor;
    const char *base;
    if (second.len > 0 && unit_parse(first, &base, &factor)) {
        c.unit = first;
        c.event = second;
    } else {
        c.event = first;
    }
    struct column_numbers numbers = {.decimal = p->decimal};
    double value;
    if (c.event.len == 0 ||
        (!number_is_missing(c.value) && !number_parse(c.value, &numbers, &value)))
        return ingest_skip(p->in, p->in->reader->line, "no counter of perf stat", line, error);
    return give_counter(p, &c, p->decimal, error);
}

// "       0,001810239 seconds time elapsed" also tells the decimal sign.
static bool time_line(struct parser *p, struct slice line)
{
    static const struct {
        const char *text, *name;
    } times[] = {
        {" seconds time elapsed", "elapsed"},
        {" seconds user", "user_seconds"},
        {" seconds sys", "sys_seconds"},
        {" +- ", NULL},
    };
    struct column_numbers numbers = {.decimal = p->decimal};
    for (size_t i = 0; times[i].name; i++) {
        struct slice after = line_after(line, times[i].text), s = line;
        double value;
        if (!after.data)
            continue;
        if (number_parse(line_word(&s), &numbers, &value))
            run_metric(p->run, times[i].name, value, "s");
        return true;
    }
    return false;
}

// "#           time socket cpus             counts unit events"
static bool is_interval_title(struct slice line)
{
    return line.len > 0 && line.data[0] == '#' && line_has(line, " time ") &&
           line_has(line, "counts unit events");
}

// The sign in a time of nine decimals decides for the file: with -I those come first, else last, so
// that they are looked for in the beginning of the text.
static char find_decimal(struct slice head)
{
    struct slice rest = head, line;
    bool interval = false;
    while (head_line(&rest, &line)) {
        struct slice s = line, number = line_word(&s);
        bool title = is_interval_title(line);
        if (!title && (interval || line_has(line, " seconds "))) {
            if (memchr(number.data, ',', number.len))
                return ',';
            if (memchr(number.data, '.', number.len))
                return '.';
        }
        interval = title || (interval && number.len == 0);
    }
    return '.';
}

// Counters over time or by cpu: their sum is what the others are compared with.
static void give_totals(struct parser *p)
{
    for (guint i = 0; i < p->order->len; i++) {
        g_auto(GStrv) parts = g_strsplit(p->order->pdata[i], "\x1f", 2);
        if (run_find_metric(p->run, parts[0])) // perf summed it up itself: --summary
            continue;
        double *total = g_hash_table_lookup(p->totals, p->order->pdata[i]);
        struct metric_fact *m = run_metric(p->run, parts[0], *total, *parts[1] ? parts[1] : NULL);
        m->provenance = PROVENANCE_DERIVED;
        m->why = "sum of the parts";
    }
}

// Several outputs in one file, by --append.
static bool next_run(struct parser *p, GError **error)
{
    give_totals(p);
    g_hash_table_remove_all(p->totals);
    g_ptr_array_set_size(p->order, 0);
    p->counters = 0;
    p->interval = false;
    return run_deliver(p->run, p->in, error);
}

static bool any_line(void *parser, struct slice line, GError **error)
{
    struct parser *p = parser;
    struct slice s = slice_trim(line),
                 workload = line_after(line, "Performance counter stats for ");
    if (s.len == 0)
        return true;
    if (is_interval_title(s))
        p->interval = true;
    if (slice_starts(s, "# started on ") && p->counters > 0 && !next_run(p, error))
        return false;
    if (s.data[0] == '#') {
        run_set(p->run, "started_on", line_after(s, "# started on "));
        return true;
    }
    if (workload.data) {
        // Behind the lines of -I it is their summary, behind a table another run.
        if (p->run->workload && !next_run(p, error))
            return false;
        p->interval = false;
        struct slice name = slice_trim(workload);
        while (name.len > 0 && strchr(":'", name.data[name.len - 1]) && name.data[name.len - 1])
            name.len--;
        if (name.len > 0 && name.data[0] == '\'')
            name = (struct slice){name.data + 1, name.len - 1};
        p->run->workload = run_text(p->run, name);
        return true;
    }
    if (s.data[0] == '{')
        return json_line(p, s, error);
    if (time_line(p, s))
        return true;
    bool table = p->run->workload || p->interval || (s.data[0] != '<' && !find_separator(s));
    return table && !p->separator ? people_line(p, line, error) : csv_line(p, line, error);
}

static bool parse(struct ingest *in, GError **error)
{
    g_autoptr(run_builder_t) run = run_builder_new("perf stat");
    g_autoptr(GHashTable) totals = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autoptr(GPtrArray) order = g_ptr_array_new();
    struct parser p = {.in = in,
                       .run = run,
                       .totals = totals,
                       .order = order,
                       .decimal = find_decimal(reader_head(in->reader))};
    if (!lines_each(in, any_line, &p, error))
        return false;
    if (p.counters == 0)
        return ingest_damaged(in, 0, error,
                              "perf stat wrote no counter into it; --metric-only and -n leave them "
                              "out");
    give_totals(&p);
    return run_deliver(run, in, error);
}

static int detect(struct slice head)
{
    struct slice rest = head, line;
    bool started = false, csv = false;
    while (head_line(&rest, &line)) {
        if (line_has(line, "Performance counter stats for") || is_interval_title(line) ||
            (line.len > 0 && line.data[0] == '{' && line_has(line, "\"counter-value\"")))
            return 95;
        started |= slice_starts(line, "# started on ");
        struct slice s = line;
        char separator = line.len > 0 && line.data[0] != '#' ? find_separator(line) : 0;
        for (unsigned i = 0; separator && i < 6 && s.len > 0; i++) {
            struct slice field = slice_trim(line_field(&s, separator));
            csv |= slice_is(field, "page-faults") || slice_is(field, "task-clock") ||
                   slice_is(field, "cpu-clock") || slice_is(field, "context-switches") ||
                   slice_is(field, "cycles") || slice_is(field, "<not supported>");
        }
    }
    return started && csv ? 95 : csv ? 60 : started ? 50 : 0;
}

const struct ingest_format format_perf_stat = {
    .name = "perf-stat",
    .summary = "counters of `perf stat`: the table, -x, -j, -I, -A",
    .detect = detect,
    .parse = parse,
};
