// perf report --stdio, with columns or with -t SEPARATOR. Its rows become metrics of a run for each
// event: "self:cpu-clock/wrk/libc.so.6/spin" in per cent. Call graphs below the rows are drawn for
// people; perf script has the same as data. The header's event count is the check for both.
#include "formats.h"
#include "lines.h"
#include "metrics.h"
#include "run_builder.h"

struct parser {
    struct ingest *in;
    struct run_builder *run;
    char *event;
    GArray *starts;    // of size_t: where columns begin in a row
    GPtrArray *titles; // of the columns
    char separator;    // of -t; 0: columns
    char *header;      // the line before the dots
};

static bool end_event(struct parser *p, GError **error)
{
    if (!p->event)
        return true;
    g_clear_pointer(&p->event, g_free);
    return run_deliver(p->run, p->in, error);
}

// "# Samples: 285  of event 'cpu-clock'", "# Samples: 3K of events 'anon group { … }'"
static bool samples_line(struct parser *p, struct slice line, GError **error)
{
    double samples;
    struct slice rest, count = line_after(line, "# Samples: ");
    if (!line_number(count, &samples, &rest))
        return ingest_skip(p->in, p->in->reader->line, "no number of samples", line, error);
    if (!end_event(p, error))
        return false;
    const char *quote = memchr(rest.data, '\'', rest.len);
    struct slice event = quote
                             ? (struct slice){quote + 1, (size_t)(rest.data + rest.len - quote) - 1}
                             : slice_trim(rest);
    while (event.len > 0 && (event.data[event.len - 1] == '\'' || event.data[event.len - 1] == ' '))
        event.len--;
    p->event = text_printable(event);
    p->separator = 0;
    g_array_set_size(p->starts, 0);
    g_ptr_array_set_size(p->titles, 0);
    run_set(p->run, "event", event);
    // "3K" is rounded, and so no count.
    if (rest.len > 0 && (*rest.data == 'K' || *rest.data == 'M'))
        run_missing(p->run, "samples", "perf printed it rounded");
    else
        run_metric(p->run, "samples", samples, NULL);
    return true;
}

// "# ........  ........  ......." tells the columns; the line before it names them.
static void columns_line(struct parser *p, struct slice dots)
{
    struct slice header = slice_from(p->header);
    bool before = false;
    p->separator = 0;
    g_array_set_size(p->starts, 0);
    g_ptr_array_set_size(p->titles, 0);
    for (size_t i = 2; i < dots.len; i++) {
        bool dot = dots.data[i] == '.';
        if (dot && !before)
            g_array_append_val(p->starts, i);
        before = dot;
    }
    for (guint i = 0; i < p->starts->len; i++) {
        size_t from = g_array_index(p->starts, size_t, i);
        size_t to = i + 1 < p->starts->len ? g_array_index(p->starts, size_t, i + 1) : header.len;
        struct slice s = {header.data + MIN(from, header.len),
                          MIN(to, header.len) - MIN(from, header.len)};
        g_ptr_array_add(p->titles, slice_dup(slice_trim(s)));
    }
}

// "# Overhead,Command,Shared Object    ,Symbol"
static bool separated_header(struct parser *p, struct slice line)
{
    static const char separators[] = {',', ';', '\t', '|', ':'};
    if (!slice_starts(line, "# Overhead") && !slice_starts(line, "# Children"))
        return false;
    size_t name = strlen("# Overhead");
    if (line.len <= name || !memchr(separators, line.data[name], sizeof separators))
        return false;
    p->separator = line.data[name];
    struct slice rest = {line.data + 2, line.len - 2};
    g_ptr_array_set_size(p->titles, 0);
    while (rest.len > 0)
        g_ptr_array_add(p->titles, slice_dup(slice_trim(line_field(&rest, p->separator))));
    return true;
}

static bool comment_line(struct parser *p, struct slice line, GError **error)
{
    double value;
    uint64_t lost;
    struct slice s;
    if (line_after(line, "# Samples: ").data)
        return samples_line(p, line, error);
    if ((s = line_after(line, "# Total Lost Samples: ")).data && line_number(s, &value, NULL) &&
        count_from(value, &lost))
        p->in->summary.lost += lost;
    else if (((s = line_after(line, "# Event count (approx.): ")).data ||
              (s = line_after(line, "# Total weight : ")).data) &&
             line_number(s, &value, NULL))
        run_metric(p->run, "event_count", value, NULL);
    else if (line_has(line, "# ....") && p->header)
        columns_line(p, line);
    else if (!separated_header(p, line)) {
        g_free(p->header);
        p->header = slice_dup(line);
    }
    return true;
}

static struct slice row_column(struct parser *p, struct slice line, guint i)
{
    if (p->separator) {
        struct slice rest = line, field = SLICE_NULL;
        for (guint k = 0; k <= i; k++)
            field = line_field(&rest, p->separator);
        return slice_trim(field);
    }
    size_t from = i == 0 ? 0 : g_array_index(p->starts, size_t, i);
    size_t to = i + 1 < p->starts->len ? g_array_index(p->starts, size_t, i + 1) : line.len;
    from = MIN(from, line.len);
    to = MIN(to, line.len);
    return slice_trim((struct slice){line.data + from, to - from});
}

static bool percent(struct slice s, double *value)
{
    if (!slice_ends(s, "%"))
        return false;
    s.len--;
    return slice_to_double(s, value);
}

// "[.] name" says where the code is; the name is enough.
static struct slice bare_symbol(struct slice s)
{
    bool tagged = s.len > 4 && s.data[0] == '[' && s.data[2] == ']' && s.data[3] == ' ';
    return tagged ? slice_trim((struct slice){s.data + 4, s.len - 4}) : s;
}

static bool row_line(struct parser *p, struct slice line)
{
    GString *key = g_string_new(p->event);
    double value;
    guint shares = 0;
    for (guint i = 0; i < p->titles->len; i++) {
        struct slice s = row_column(p, line, i);
        if (percent(s, &value) && i == shares) {
            shares++;
            continue;
        }
        g_autofree char *text = text_printable(bare_symbol(s));
        g_string_append_printf(key, "/%s", text);
    }
    for (guint i = 0; i < shares; i++) {
        percent(row_column(p, line, i), &value);
        g_autofree char *title = g_ascii_strdown(p->titles->pdata[i], -1);
        const char *what = strcmp(title, "overhead") == 0 ? "self" : title;
        g_autofree char *name = g_strdup_printf("%s:%s", what, key->str);
        run_metric(p->run, name, value, "%");
    }
    g_string_free(key, TRUE);
    return shares > 0;
}

// A row begins with a share; what hangs below it is drawn with bars, or is a folded chain.
static bool any_line(void *parser, struct slice line, GError **error)
{
    struct parser *p = parser;
    struct slice s = slice_trim(line), rest = s;
    double value;
    if (s.len == 0)
        return true;
    if (line.data[0] == '#')
        return comment_line(p, line, error);
    struct slice first =
        p->separator ? slice_trim(line_field(&rest, p->separator)) : line_word(&rest);
    if (p->event && p->titles->len > 0 && percent(first, &value))
        return row_line(p, line) ||
               ingest_skip(p->in, p->in->reader->line, "no row of perf report", line, error);
    bool drawn =
        s.data[0] == '|' || s.data[0] == '-' || line.data[0] == ' ' || g_ascii_isdigit(s.data[0]);
    return drawn || ingest_skip(p->in, p->in->reader->line, "no row of perf report", line, error);
}

static bool parse(struct ingest *in, GError **error)
{
    struct parser p = {.in = in,
                       .run = run_builder_new("perf report"),
                       .starts = g_array_new(FALSE, FALSE, sizeof(size_t)),
                       .titles = g_ptr_array_new_with_free_func(g_free)};
    bool ok = lines_each(in, any_line, &p, error) && end_event(&p, error);
    if (ok && in->runs == 0)
        ok = ingest_damaged(in, 0, error, "no event of perf report in it");
    run_builder_free(p.run);
    g_array_unref(p.starts);
    g_ptr_array_unref(p.titles);
    g_free(p.event);
    g_free(p.header);
    return ok;
}

static int detect(struct slice head)
{
    return line_has(head, "# Samples: ") && line_has(head, " of event") ? 98 : 0;
}

const struct ingest_format format_perf_report = {
    .name = "perf-report",
    .summary = "rows of `perf report --stdio`, with any call graph and any separator",
    .detect = detect,
    .parse = parse,
};
